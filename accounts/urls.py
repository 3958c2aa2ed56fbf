"""The addresses under ``/account/``: this site's own pages, then allauth's."""

from allauth.account import views as allauth_views
from allauth.mfa.base import views as mfa_views
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
    path("2fa/", views.registered_required(mfa_views.index), name="mfa_index"),
]

urlpatterns = [
    path("account/", include((own, "accounts"))),
    path("account/", include(adapted)),
    path("account/", include("allauth.urls")),
]
