"""The addresses of the game's pages."""

from django.urls import path, re_path

from games.views import days, lines, new, notices, order, pages, play_link, privacy, table

app_name = "games"

urlpatterns = [
    path("", pages.home, name="home"),
    path("lobby/", pages.lobby, name="lobby"),
    path("new/", new.new, name="new"),
    path("play/", new.play_computer, name="play_computer"),
    path("play/<str:token>/", play_link.play_link, name="play_link"),
    path("notices/", notices.notices, name="notices"),
    path("notices/read/", notices.mark_read, name="notices_read"),
    path("notices/choices/", notices.notice_choices, name="notice_choices"),
    path("notices/off/<str:token>/", notices.switch_off, name="notices_off"),
    path("notices/push/", notices.push_subscribe, name="push_subscribe"),
    path("notices/push/off/", notices.push_unsubscribe, name="push_unsubscribe"),
    path("notices/calendar/", notices.calendar_key, name="calendar_key"),
    path("calendar/<str:key>.ics", notices.calendar, name="calendar"),
    path("sw.js", notices.service_worker, name="service_worker"),
    path("mine/", pages.mine, name="mine"),
    path("next/", days.next_match, name="next"),
    path("time-off/", days.time_off, name="time_off"),
    path("time-off/<int:pk>/end/", days.end_time_off, name="end_time_off"),
    path("back/", days.come_back, name="come_back"),
    path("standing/", order.standing, name="standing"),
    path("standing/<int:word_id>/read/", order.put_away, name="put_away"),
    path("standing/<int:action_id>/appeal/", order.appeal, name="appeal"),
    path("rename/", order.rename, name="rename"),
    path("blocks/", order.blocks, name="blocks"),
    path("@/<str:username>/report/", order.report, name="report"),
    path("@/<str:username>/block/", order.block, name="block"),
    path("@/<str:username>/unblock/", order.unblock, name="unblock"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("terms/", privacy.terms, name="terms"),
    path("data/", privacy.data, name="data"),
    path("data/<int:export_id>/", privacy.download, name="download"),
    path("close/", privacy.close, name="close"),
    path("reopen/", privacy.reopen, name="reopen"),
    path("rules/", pages.rules, name="rules"),
    path("verify/", pages.verify, name="verify"),
    path("@/<str:username>/", pages.profile, name="profile"),
    path("m/<slug:code>/", table.match, name="match"),
    path("m/<slug:code>/accept/", table.accept, name="accept"),
    path("m/<slug:code>/decline/", table.decline, name="decline"),
    path("m/<slug:code>/cancel/", table.cancel, name="cancel"),
    path("m/<slug:code>/lines/", lines.plan, name="lines"),
    path("m/<slug:code>/lines/keep/", lines.keep, name="keep_line"),
    path("m/<slug:code>/lines/erase/", lines.erase, name="erase_lines"),
    re_path(r"^m/(?P<code>[-\w]+)/(?P<action>play|draw|resign|abort|claim|rematch|live|chat)/$", table.act, name="act"),
]
