"""The addresses of the whole site; each app has its own below."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from yourtrumps import health

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path(settings.ADMIN_PATH, admin.site.urls),
    path("", include("accounts.urls")),
    path("", include("games.urls")),
]

handler400 = "yourtrumps.errors.bad_request"
handler403 = "yourtrumps.errors.permission_denied"
handler404 = "yourtrumps.errors.page_not_found"
handler429 = "yourtrumps.errors.too_many_requests"
handler500 = "yourtrumps.errors.server_error"
