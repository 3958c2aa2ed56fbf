"""The weights file, and the network in whole numbers against the one that is trained."""

from pathlib import Path

import numpy as np
import pytest

from games.engine import board
from games.engine.desk import Desk
from games.engine.evaluate import HAND_MADE, carry_sums, judge, output_of, sum_anew
from games.engine.fitting import Network, fit_order, fit_terms, list_rows
from games.engine.network import DEFAULT, WeightsError, load, read, save
from games.engine.selfplay import MOVER, Records, self_play
from games.engine.training import rough_weights
from games.rules import parse_position


@pytest.fixture(scope="module")
def records() -> Records:
    return self_play(rough_weights(), size=6000, nodes=60, seed=3, mode=HAND_MADE)[0]


def test_the_shipped_weights_are_sound_and_small() -> None:
    weights = read(DEFAULT)
    assert DEFAULT.stat().st_size < 1_000_000
    assert np.any(weights.net)
    assert np.any(weights.terms)
    assert np.any(weights.order)


def test_weights_come_back_as_they_were_saved(tmp_path: Path) -> None:
    path = tmp_path / "copy.ytnw"
    save(load(), path)
    assert path.read_bytes() == DEFAULT.read_bytes()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: b"no" + data[2:], "not a weights file"),
        (lambda data: data[:10], "not a weights file"),
        (lambda data: data[:4] + b"\x63\x00" + data[6:], "version 99"),
        (lambda data: data[:6] + b"\x01\x00" + data[8:], "another shape"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "damaged"),
        (lambda data: data[:-8], "damaged"),
    ],
)
def test_a_spoilt_weights_file_is_refused(tmp_path: Path, spoil, message: str) -> None:
    path = tmp_path / "spoilt.ytnw"
    path.write_bytes(spoil(DEFAULT.read_bytes()))
    with pytest.raises(WeightsError, match=message):
        read(path)


def test_self_play_is_repeatable(records: Records) -> None:
    again = self_play(rough_weights(), size=6000, nodes=60, seed=3, mode=HAND_MADE)[0]
    assert np.array_equal(again.hands, records.hands)
    assert np.array_equal(again.notes, records.notes)


def test_training_lowers_the_loss_and_rounding_keeps_the_judgement(records: Records) -> None:
    network = Network(1)
    told: list[str] = []
    network.fit(records, epochs=4, rate=3e-3, seed=1, batch=256, tell=told.append)
    losses = [float(text.split("unseen ")[1]) for text in told]
    assert losses[-1] < losses[0]

    net, out = network.rounded()
    desk, rows = Desk(), np.zeros(80, np.int64)
    for row in range(0, len(records), 301):
        seat, free, cards, height = map(int, records.notes[row, :4])
        units = []
        for eyes in (seat, 1 - seat):
            lit = list_rows(records.hands, records.tops, records.notes, row, eyes, 0, rows)
            units.append(np.clip(network.first[rows[:lit]].sum(axis=0), 0, 1))
        desk.sets[0, :2] = records.hands[row]
        desk.facts[board.FREE], desk.facts[board.CARD_COUNT] = free, cards
        desk.work[0, board.SIZE] = height
        for deep in range(min(len(records.tops[row]), height)):
            desk.pile[0, height - 1 - deep] = records.tops[row, deep]
        weights = network.second[output_of(desk.sets, 0, free)]
        exact = 200 * (np.concatenate(units) @ weights[:-1] + weights[-1])
        sum_anew(desk.sets, desk.sums, net, desk.facts, 0)
        rounded = judge(desk.sets, desk.pile, desk.work, desk.sums, net, out, 0, seat, free)
        assert rounded == pytest.approx(exact, abs=12)


def test_rounded_weights_can_be_trained_on() -> None:
    weights = load()
    net, out = Network.of(weights).rounded()
    assert np.array_equal(net, weights.net)
    assert np.array_equal(out, weights.out)


def test_hand_made_terms_and_ordering_learn_what_is_good(records: Records) -> None:
    terms = fit_terms(records, 0.3)
    order, loss = fit_order(records)
    assert terms.shape == rough_weights().terms.shape
    assert np.any(order)
    mover_results = records.notes[:, MOVER]
    assert set(np.unique(mover_results)) == {0, 1}
    assert 0 < loss < 4


def test_sums_carried_along_are_the_sums_counted_anew() -> None:
    weights, desk = load(), Desk()
    position = parse_position("8C6SKS/7CKDQH 9DTDAC7S8S9H SC 1 free")
    desk.lay(position)
    sum_anew(desk.sets, desk.sums, weights.net, desk.facts, 0)
    for move in position.legal_moves():
        board.play(desk.sets, desk.pile, desk.work, 0, 1, desk.inner(move))
        carry_sums(desk.sets, desk.sums, weights.net, 1, 1)
        carried = desk.sums[1].copy()
        sum_anew(desk.sets, desk.sums, weights.net, desk.facts, 1)
        assert np.array_equal(carried, desk.sums[1])
