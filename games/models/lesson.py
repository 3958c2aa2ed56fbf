"""How far players got in the lessons."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class LessonProgress(models.Model):
    """The lesson that a player goes on with, on whatever device; made with the first turn in a lesson.

    ``step`` counts from 1, and is one more than there are lessons when all are done.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.CASCADE, related_name="lesson_progress"
    )
    step = models.PositiveSmallIntegerField(_("Lessons"), default=1)

    class Meta:
        verbose_name = _("Lessons")
        verbose_name_plural = _("Lessons")

    def __str__(self) -> str:
        return str(self.user_id)
