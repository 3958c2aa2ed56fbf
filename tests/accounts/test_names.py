"""What a user name may be, and when two are the same or look it."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from accounts import names
from accounts.models import User

PEOPLE = ["கிருஷ்ணன்", "क्षत्रिय", "ກິດ", "ນ້ຳໃສ", "ნინო", "Иван", "Zoë", "O_le-2", "김철수", "日本カナひら", "ශ්රී", "محمد"]


@pytest.mark.parametrize("name", PEOPLE)
def test_names_as_people_write_them_are_accepted(name: str) -> None:
    names.validate_name(names.normalize(name))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab\u202ecd", "invisible"),
        ("ab\u200dcd", "invisible"),
        ("ab\u0000cd", "invisible"),
        ("ab\u3164cd", "invisible"),
        ("ab\ufe0fcd", "invisible"),
        ("a b", "characters"),
        ("a@b", "characters"),
        ("a/b", "characters"),
        ("<b>", "characters"),
        ("♠ace", "characters"),
        ("𝒶lice", "characters"),
        ("Ａlice", "characters"),
        ("1234", "letter"),
        ("..", "letter"),
        ("\u0301ab", "marks"),
        ("z" + "\u0335" * 5 + "a", "marks"),
        ("a", "min_length"),
        ("மோ", "min_length"),
        ("a" * 21, "max_length"),
        ("аlice", "scripts"),
        ("ალiსა", "scripts"),
        ("abc日本", "scripts"),
    ],
)
def test_names_that_deceive_or_do_not_fit_are_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as caught:
        names.validate_name(name)
    assert caught.value.code == code


def test_length_is_counted_as_a_person_counts() -> None:
    assert names.length("கிருஷ்ணன்") == 5
    names.validate_name("கி" * 20)
    with pytest.raises(ValidationError, match="at most 20"):
        names.validate_name("கி" * 21)


def test_lao_letters_are_stored_as_typed() -> None:
    assert names.normalize("ນ້ຳ") == "ນ້ຳ"
    assert names.normalize("ໝູ") == "ໝູ"


@pytest.mark.parametrize(
    ("one", "other"), [("Straße", "STRASSE"), ("Иван", "иВАН"), ("ﬁsh", "fish"), ("Zoë", "zoe\u0308")]
)
def test_case_and_form_make_no_other_name(one: str, other: str) -> None:
    assert names.comparison_key(one) == names.comparison_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ape", "аре"),
        ("Alice", "AIice"),
        ("moon", "rnoon"),
        ("bob", "b0b"),
        ("кот", "κοτ"),
        ("Вера", "Bepa"),
        ("Alice", "Ali\u0307ce"),
        ("ແກ້ວ", "ເເກ້ວ"),
    ],
)
def test_names_that_look_alike_share_a_skeleton(one: str, other: str) -> None:
    assert names.comparison_key(one) != names.comparison_key(other)
    assert names.skeleton(one) == names.skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("ali", "all"), ("ნინო", "nino"), ("Anna", "Hanna"), ("кит", "кот")])
def test_names_that_look_different_do_not(one: str, other: str) -> None:
    assert names.skeleton(one) != names.skeleton(other)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстუფქღ", min_size=1, max_size=12))
def test_the_skeleton_knows_no_more_case_than_the_key(name: str) -> None:
    assert names.skeleton(name) == names.skeleton(name.strip())
    assert names.skeleton(name) == names.skeleton(name).casefold()


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "Admin",
        "аdmin",
        "adrnin",
        "Guest",
        "guest-33",
        "Moderator1",
        "гость",
        "Closed-482113",
        "player-7",
        "4dmin",
        "adm1n2",
        "0wner1",
        "ad-min",
        "m.o_d",
        "admi\u0307n",
        "ເເອດມິນ",
    ],
)
def test_names_of_the_house_are_reserved(name: str) -> None:
    assert names.is_reserved(name)


@pytest.mark.parametrize("name", ["alice", "player1", "Player", "closed-book", "Administer", "gues", "botany"])
def test_ordinary_names_are_not_reserved(name: str) -> None:
    assert not names.is_reserved(name)


@pytest.mark.parametrize(
    "name", ["Daisy", "DAISY", "Dаisy", "G0gi", "Вера", "Bepa", "ნოი", "कुमार", "ມີຣາ", "The_Old.Master", "ProfessorLund"]
)
def test_the_names_of_the_computers_characters_are_reserved_in_every_language(name: str) -> None:
    assert names.is_reserved(name)


@pytest.mark.parametrize("name", ["Daisy77", "Verena", "Noia", "Lund", "Master"])
def test_names_that_only_begin_or_end_like_a_characters_are_not(name: str) -> None:
    assert not names.is_reserved(name)


def test_the_keys_follow_the_name(db: None) -> None:
    user = User.objects.create_user("Нина", password="x")
    user.username = "Анна"
    user.save(update_fields=["username"])
    user.refresh_from_db()
    assert user.username_key == "анна"
    assert User.objects.get_by_natural_key("АННА") == user
    assert not User.objects.with_name_like("нина").exists()
