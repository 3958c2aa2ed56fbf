"""The addresses under ``/account/``: this site's own pages, then allauth's."""

from allauth.account import views as allauth_views
from allauth.mfa.base import views as mfa_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as totp_views
from allauth.mfa.webauthn import views as webauthn_views
from django.urls import include, path

from accounts import views

own = [
    path("", views.home, name="home"),
    path("preferences/", views.preferences, name="preferences"),
    path("language/", views.language, name="language"),
    path("guest/", views.guest, name="guest"),
]

# Allauth's views with another rule for guests: these stand before its own of the same name.
adapted = [
    path("signup/", views.SignupView.as_view(), name="account_signup"),
    path("login/", views.LoginView.as_view(), name="account_login"),
    path("email/", views.registered_required(allauth_views.email), name="account_email"),
    path("password/change/", views.registered_required(allauth_views.password_change), name="account_change_password"),
    path("password/set/", views.registered_required(allauth_views.password_set), name="account_set_password"),
    *(
        path(f"2fa/{address}", views.registered_required(view), name=f"mfa_{name}")
        for address, view, name in (
            ("", mfa_views.index, "index"),
            ("totp/activate/", totp_views.activate_totp, "activate_totp"),
            ("totp/deactivate/", totp_views.deactivate_totp, "deactivate_totp"),
            ("recovery-codes/", recovery_views.view_recovery_codes, "view_recovery_codes"),
            ("recovery-codes/generate/", recovery_views.generate_recovery_codes, "generate_recovery_codes"),
            ("recovery-codes/download/", recovery_views.download_recovery_codes, "download_recovery_codes"),
            ("webauthn/", webauthn_views.list_webauthn, "list_webauthn"),
            ("webauthn/add/", webauthn_views.add_webauthn, "add_webauthn"),
            ("webauthn/keys/<int:pk>/edit/", webauthn_views.edit_webauthn, "edit_webauthn"),
            ("webauthn/keys/<int:pk>/remove/", webauthn_views.remove_webauthn, "remove_webauthn"),
        )
    ),
]

urlpatterns = [
    path("account/", include((own, "accounts"))),
    path("account/", include(adapted)),
    path("account/", include("allauth.urls")),
]
