"""The addresses of analyses, of the board to try moves on, and of puzzles, a part of the game's."""

from django.urls import path

from games.views import analysis, puzzles

urlpatterns = [
    path("m/<slug:code>/analysis/", analysis.match, name="analysis"),
    path("m/<slug:code>/analysis/ask/", analysis.ask, name="ask_analysis"),
    path("m/<slug:code>/try/", analysis.try_moves, name="try"),
    path("puzzles/", puzzles.overview, name="puzzles"),
    path("puzzles/daily/", puzzles.daily, name="daily_puzzle"),
    path("puzzles/grade/<int:grade>/", puzzles.next_puzzle, name="next_puzzle"),
    path("puzzles/<int:number>/", puzzles.puzzle, name="puzzle"),
    path("puzzles/<int:number>/solution/", puzzles.give_up, name="give_up_puzzle"),
]
