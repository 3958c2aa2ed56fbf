"""The addresses of the game's pages."""

from django.urls import path, re_path

from games.views import new, pages, table

app_name = "games"

urlpatterns = [
    path("", pages.home, name="home"),
    path("lobby/", pages.lobby, name="lobby"),
    path("new/", new.new, name="new"),
    path("play/", new.play_computer, name="play_computer"),
    path("mine/", pages.mine, name="mine"),
    path("rules/", pages.rules, name="rules"),
    path("verify/", pages.verify, name="verify"),
    path("@/<str:username>/", pages.profile, name="profile"),
    path("m/<slug:code>/", table.match, name="match"),
    path("m/<slug:code>/accept/", table.accept, name="accept"),
    path("m/<slug:code>/decline/", table.decline, name="decline"),
    path("m/<slug:code>/cancel/", table.cancel, name="cancel"),
    re_path(r"^m/(?P<code>[-\w]+)/(?P<action>play|draw|resign|abort|claim|rematch)/$", table.act, name="act"),
]
