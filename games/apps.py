from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Matches and everything that happens at their tables."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Games")
