"""Settings, all of them from the environment, with safe defaults for production.

The server refuses to start without a secret key, allowed hosts and secure cookies
unless ``LOCAL`` is set on purpose. ``docs/operating.md`` lists the variables.
"""

from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

from django.utils.csp import CSP
from django.utils.translation import gettext_lazy as _

from yourtrumps import env, languages
from yourtrumps import logging as request_logging

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))

# Error pages that show the source, templates that are read anew for each page: for whoever works on the code.
DEBUG = env.flag("DEBUG", False)
# A machine of one's own: no TLS, mail to the terminal, static files from where they lie.
LOCAL = env.flag("LOCAL", DEBUG)
SECRET_KEY = env.secret_key(local=LOCAL, var_dir=VAR_DIR)
ALLOWED_HOSTS = env.hosts(local=LOCAL)
SECURE = env.flag("SECURE_COOKIES", not LOCAL)
env.refuse_insecure(debug=DEBUG, local=LOCAL, secure=SECURE)

# How many proxies stand in front. From them, and only from them, the client's address and the scheme are believed.
TRUSTED_PROXIES = env.number("TRUSTED_PROXIES", 0)
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Further origins, scheme and port included, from which forms and sockets are accepted.
CSRF_TRUSTED_ORIGINS = env.words("TRUSTED_ORIGINS")
# Where the administration pages are.
ADMIN_PATH = env.text("ADMIN_PATH", "admin/").strip("/") + "/"
# Staff log in with a second factor; only on a machine of one's own may that be switched off.
ADMIN_SECOND_FACTOR = env.flag("ADMIN_SECOND_FACTOR", True) or not LOCAL

INSTALLED_APPS = [
    "daphne",
    "yourtrumps.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "accounts",
    "games",
]

MIDDLEWARE = [
    "yourtrumps.middleware.request_id",
    "yourtrumps.middleware.permissions_policy",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.preferences",
    # From here on an error is told in the reader's language.
    "yourtrumps.middleware.utf8_only",
    "accounts.middleware.activity",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "yourtrumps.urls"
ASGI_APPLICATION = "yourtrumps.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.context_processors.table_counts",
                "games.context_processors.unread_notices",
                "games.context_processors.official_words",
            ],
        },
    },
]

DATABASES = {"default": env.database(VAR_DIR)}
CHANNEL_LAYERS = {"default": env.channel_layer()}
CACHES = env.caches()
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "games:mine"
REOPEN_URL = "games:reopen"  # Where the owner of a closed account takes it back.

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", _("English")),
    ("ta", _("Tamil")),
    ("mr", _("Marathi")),
    ("lo", _("Lao")),
    ("ka", _("Georgian")),
    ("ru", _("Russian")),
]
languages.register()
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["yourtrumps.formats"]
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static"]
# In development files are served from where they lie, so that an edit shows (with DEBUG at once); in production under
# hashed names from STATIC_ROOT, which `manage.py collectstatic` fills.
STATIC_IN_PLACE = env.flag("STATIC_IN_PLACE", LOCAL)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if STATIC_IN_PLACE
        else "yourtrumps.storage.HashedStaticFilesStorage"
    },
}

SESSION_ENGINE = "yourtrumps.sessions"
SESSION_COOKIE_SECURE = SECURE
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
CSRF_COOKIE_SECURE = SECURE
CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = env.flag("SSL_REDIRECT", SECURE)
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 60 * 60 * 24 * 365) if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS", False)
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD", False)
# Both bind every other site under the domain, so that they are the operator's to switch on.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_CSP = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "font-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "media-src": [CSP.SELF],
    "worker-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}

MAILERS = {"default": env.mailer(local=LOCAL, var_dir=VAR_DIR)}
DEFAULT_FROM_EMAIL = env.text("MAIL_FROM", "Your trumps <noreply@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# The site's own address: mails and pushes are written where there is no request to take it from.
SITE_URL = env.site_url(local=LOCAL, hosts=ALLOWED_HOSTS, secure=SECURE)
SITE_HOST = urlsplit(SITE_URL).hostname

# Web Push: off without a key (`manage.py makevapidkeys`). Requests go to these push services and no others.
VAPID_PRIVATE_KEY = env.vapid_key()
VAPID_SUBJECT = env.text("VAPID_SUBJECT", f"mailto:{parseaddr(DEFAULT_FROM_EMAIL)[1]}")
PUSH_HOSTS = env.words("PUSH_HOSTS") or [
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
]

# What the operator says on the privacy page and in the terms.
OPERATOR_NAME = env.text("OPERATOR_NAME")
OPERATOR_ADDRESS = env.text("OPERATOR_ADDRESS")
OPERATOR_CONTACT = env.text("OPERATOR_CONTACT")
OPERATOR_COUNTRY = env.text("OPERATOR_COUNTRY")

LOGGING = request_logging.config(level=env.log_level(), structured=env.flag("LOG_JSON", not LOCAL))

# Accounts. Whether an address is known is told to nobody: two accounts may name the same one until it is verified.
RESERVED_NAMES = "games.present.words.character_names"  # What returns the names that no person may have.
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "add_email": "accounts.forms.EmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.NewPasswordForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_USER_DISPLAY = "accounts.selectors.display_name"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*", "email"]
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Your trumps: "
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # A guest may log in and register; accounts.views sends others on.
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if SECURE else "http"
ACCOUNT_RATE_LIMITS = {
    "login_failed": "10/m/ip,5/5m/key",
    "login_failed_account": "100/h/key",
    "guest": "30/m/ip,300/d/ip",
    "preferences": "60/m/user",
}
# How often an account and a client's address may do something: (times, seconds). `games.limits` counts.
RATE_LIMITS = {
    "play": {"account": (3000, 60), "address": (60000, 60)},
    "act": {"account": (240, 60), "address": (6000, 60)},
    "challenge": {"account": (120, 60), "address": (1200, 60)},
    "chat": {"account": (10, 20), "address": (200, 20)},
    "report": {"account": (20, 3600), "address": (100, 3600)},
    "data": {"account": (10, 3600), "address": (50, 3600)},
    "analysis": {"account": (30, 3600), "address": (300, 3600)},
    "evaluate": {"account": (90, 60), "address": (600, 60)},
    "puzzle": {"account": (120, 60), "address": (1200, 60)},
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Your trumps"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = LOCAL
