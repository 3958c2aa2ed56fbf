from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    """The administration, behind this site's own log-in and a second factor."""

    default_site = "yourtrumps.administration.Administration"
