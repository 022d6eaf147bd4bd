"""Status: how a simulation ended, with advice."""

from __future__ import annotations

from enum import Enum


class Status(str, Enum):
    """How a simulation ended."""

    FINISHED = "finished"
    EVENT = "event"
    BLEW_UP = "blew_up"
    STUCK = "stuck"
    CONTROLLER_FAILED = "controller_failed"
    EVENT_MISSED = "event_missed"
    INTERRUPTED = "interrupted"

    @property
    def advice(self) -> str:
        """What to do about it."""
        return _ADVICE[self]


_ADVICE = {
    Status.FINISHED: "The whole duration was simulated.",
    Status.EVENT: "A terminal event ended the motion; the last sample is the state at that moment.",
    Status.BLEW_UP: "The motion left the range of finite numbers. Usual causes: a step dt too long for the fastest motion (halve "
    "it, or use method='adaptive'); a controller with the wrong sign or too high a gain; a joint with almost no inertia (give "
    "it a rotor inertia or friction). The samples before are kept.",
    Status.STUCK: "Steps have become so short that the motion hardly advances. Usual causes: Coulomb friction that "
    "holds a joint, or a controller that switches (use method='rk4' with a step dt, or load without friction); a controller "
    "whose gain or sign drives the motion out of bounds. The samples before are kept.",
    Status.CONTROLLER_FAILED: "The torque or acceleration function raised an error, or returned something that is not nv finite "
    "numbers for each state. Call it by hand with the time of the failure and q and qd of the last sample, which is still "
    "valid. The samples before are kept.",
    Status.EVENT_MISSED: "The run came to its end without an event that has required=True. Usual causes: the duration is too "
    "short; the function has the wrong sign or direction; the motion does not reach it. All samples are kept.",
    Status.INTERRUPTED: "Stopped from the keyboard. The samples before are kept.",
}
