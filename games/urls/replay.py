"""The addresses of replays and records, a part of the game's."""

from django.urls import path

from games.views import replay

urlpatterns = [
    path("records/", replay.import_record, name="import"),
    path("records/<str:token>/", replay.record, name="record"),
    path("records/<str:token>/turns.json", replay.record_turns, name="record_turns"),
    path("records/<str:token>/game.txt", replay.record_file, {"form": "text"}, name="record_text"),
    path("records/<str:token>/game.json", replay.record_file, {"form": "json"}, name="record_json"),
    path("m/<slug:code>/replay/", replay.match, name="replay"),
    path("m/<slug:code>/replay/turns.json", replay.match_turns, name="replay_turns"),
    path("m/<slug:code>/replay/game.txt", replay.match_record, {"form": "text"}, name="replay_text"),
    path("m/<slug:code>/replay/game.json", replay.match_record, {"form": "json"}, name="replay_json"),
    path("m/<slug:code>/preview.png", replay.preview, name="preview"),
]
