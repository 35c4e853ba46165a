"""The table of attacks: what is tried against us, what it comes to, and what shows it.

`docs/sandbox.md` shows it; `tests/referee/test_attack_table.py` holds the two together, and sees to
it that every program and test named here exists, and that every program of these folders is named.
"""

from __future__ import annotations

from dataclasses import dataclass

MISBEHAVING = "referee/test_misbehaving.py::test_every_misbehaving_bot_gets_its_verdict"
MISBEHAVING += "_and_touches_nobody_else"
CONTAINED = "referee/sandbox/test_attacks.py::test_an_attack_is_contained"


@dataclass(frozen=True, slots=True)
class Row:
    """One attack. What is not contained says so in words, too."""

    attack: str
    comes_to: str
    programs: tuple[str, ...]
    """Of `attacks/` or `misbehaving/`."""
    tests: tuple[str, ...]
    """Files below `tests/` and functions in them."""
    is_contained: bool = True

    def render(self) -> str:
        """Write the row as the page has it."""
        shown = [f"`{program}`" for program in self.programs]
        shown += [
            f"`{test}`" for test in dict.fromkeys(test.partition("::")[0] for test in self.tests)
        ]
        outcome = self.comes_to if self.is_contained else f"**Not contained:** {self.comes_to}"
        return f"| {self.attack} | {outcome} | {', '.join(shown)} |"


def _wire(attack: str, comes_to: str, *programs: str) -> Row:
    return Row(attack, comes_to, programs, (MISBEHAVING,))


def _attack(attack: str, comes_to: str, *programs: str) -> Row:
    return Row(attack, comes_to, programs, (CONTAINED,))


ATTACKS: tuple[Row, ...] = (
    Row(
        "fork bomb",
        "EAGAIN at the limit of processes; gone with one kill",
        ("fork_bomb",),
        ("referee/sandbox/test_attacks.py::test_a_fork_bomb_ends_at_its_limit_and_with_one_kill",),
    ),
    Row(
        "memory bomb",
        "killed by the kernel at the limit; RESOURCE",
        ("memory_bomb", "takes_memory"),
        (
            "referee/sandbox/test_attacks.py::test_memory_ends_at_its_limit",
            (
                "referee/test_misbehaving_in_sandbox.py"
                "::test_a_bot_that_takes_more_memory_than_it_may_forfeits_by_resource"
            ),
        ),
    ),
    Row(
        "filling `/tmp` and `/dev/shm`",
        "ENOSPC at the limit; what is written counts as memory",
        ("writing",),
        (CONTAINED, "referee/sandbox/test_attacks.py::test_files_in_memory_count_as_memory"),
    ),
    _attack("descriptor exhaustion", "EMFILE at the limit", "descriptors"),
    Row(
        "flood of output",
        "the last 64 KiB are kept; the writer waits, on its own clock",
        ("floods_stderr",),
        (
            MISBEHAVING,
            (
                "referee/sandbox/test_driver.py"
                "::test_a_flood_of_output_can_be_killed_and_fills_no_memory"
            ),
        ),
    ),
    Row(
        "the host's files, environment, `/proc`, `/sys`, devices",
        "not there, not readable, or a stand-in; the environment is a closed list",
        ("host_files",),
        (
            CONTAINED,
            "referee/sandbox/test_isolation.py::test_the_environment_is_a_closed_list",
            "referee/sandbox/test_driver.py::test_nothing_of_our_environment_reaches_the_bot",
        ),
    ),
    Row(
        "another seat's processes, sockets, files, environment and token",
        "not there; no signal arrives; its socket cannot be dialled",
        ("neighbour",),
        ("referee/sandbox/test_attacks.py::test_a_bot_reaches_nothing_of_the_bot_beside_it",),
    ),
    _attack("ptrace; reading another process's memory", "ENOSYS", "system_calls"),
    _attack("signals to other processes", "only its own are there", "processes"),
    _attack("network by every family of sockets", "EAFNOSUPPORT, AF_VSOCK too", "network"),
    _attack("services on the host's loopback", "EAFNOSUPPORT", "network"),
    _attack("DNS", "no name service", "network"),
    _attack("the host's abstract sockets", "refused: another network namespace", "network"),
    _attack(
        "mount, chroot, unshare, keyrings, io_uring, bpf, userfaultfd, perf, modules: 65 calls",
        "ENOSYS",
        "system_calls",
    ),
    _attack("`clone` into each namespace", "EPERM", "system_calls"),
    _attack("the numbers of 32-bit x86 and x32", "killed (SIGSYS)", "foreign_call", "x32_call"),
    _attack("TIOCSTI, TIOCLINUX", "refused", "whispers"),
    _attack(
        "whispering to another sandbox by locks, leases and watches on a shared file",
        "refused",
        "whispers",
    ),
    _attack(
        "setuid programs, changing identity",
        "no new privileges, no capabilities, every mount nosuid",
        "processes",
    ),
    Row(
        "links, traversal, devices, setuid bits in the archive",
        "refused at submission with a sentence, before anything is written",
        (),
        ("sdk/package/test_archive.py::test_an_attack_is_refused_with_a_sentence",),
    ),
    Row(
        "zip bomb",
        "refused; a terabyte is never unpacked",
        (),
        (
            "sdk/package/test_archive.py::test_an_attack_is_refused_with_a_sentence",
            "sdk/package/test_archive.py::test_a_bomb_of_a_terabyte_is_never_unpacked",
        ),
    ),
    Row(
        "code that runs when a bot is built",
        "nothing is built: files are files until the entry runs in the sandbox",
        (),
        (
            (
                "sdk/package/test_no_code_is_run.py"
                "::test_files_that_build_tools_would_run_are_nothing_but_files"
            ),
        ),
    ),
    Row(
        "double fork that outlives the game",
        "gone with the bot, however that ends",
        ("daemon", "forks_a_daemon"),
        ("referee/sandbox/test_attacks.py::test_a_daemon_does_not_outlive_the_bot",),
    ),
    Row(
        "ignoring SIGTERM and every other signal",
        "killed",
        ("ignores_sigterm",),
        (
            MISBEHAVING,
            (
                "referee/sandbox/test_driver.py"
                "::test_a_kill_ends_a_bot_that_ignores_every_signal_it_can"
            ),
        ),
    ),
    Row(
        "`kill -9` of the referee",
        "the kernel ends its bots; the next referee sweeps what is left",
        (),
        (
            (
                "referee/sandbox/test_isolation.py"
                "::test_a_killed_referee_leaves_no_bot_and_the_next_sweeps_the_rest"
            ),
            "referee/test_service.py::test_a_killed_referee_leaves_no_bot_alive",
        ),
    ),
    Row(
        "burning processor time on the opponent's turn",
        "held still",
        ("ponders",),
        (
            (
                "referee/test_misbehaving_in_sandbox.py"
                "::test_a_bot_that_ponders_on_its_opponents_turn_is_held_still"
            ),
        ),
    ),
    Row(
        "a note for the next game that another process plays, in its lane or in another",
        "not found: `/tmp` and `/dev/shm` end with the process, all else is read-only",
        ("leaves_a_note",),
        (
            (
                "referee/test_misbehaving_in_sandbox.py"
                "::test_a_note_for_the_next_game_is_found_by_the_same_process_alone"
            ),
        ),
    ),
    Row(
        "a note for the next game of the same process",
        "a process plays its lane and may remember; it never meets a deal twice",
        ("leaves_a_note",),
        (
            (
                "referee/test_misbehaving_in_sandbox.py"
                "::test_a_note_for_the_next_game_is_found_by_the_same_process_alone"
            ),
        ),
        is_contained=False,
    ),
    Row(
        "the token of the opponent's seat",
        "it cannot be read; at its own door it opens nothing, and costs that seat nothing",
        ("neighbour",),
        (
            (
                "referee/test_door.py"
                "::test_the_token_of_another_seat_opens_nothing_and_costs_that_seat_nothing"
            ),
        ),
    ),
    Row(
        "connecting twice; a token that was used",
        "UNAUTHENTICATED; the first connection plays on",
        ("connects_twice",),
        (MISBEHAVING, "referee/test_door.py::test_the_token_lets_in_once"),
    ),
    Row(
        "connecting with a foreign token, or none",
        "UNAUTHENTICATED; PROTOCOL if no right one follows",
        ("wrong_token", "no_greeting"),
        (
            MISBEHAVING,
            "referee/test_door.py::test_a_stranger_at_the_door_does_not_keep_the_bot_out",
        ),
    ),
    Row(
        "hammering the door",
        "PROTOCOL after 16 refused greetings or 8 connections; few descriptors",
        ("hammers_at_the_door", "floods_connections"),
        (
            MISBEHAVING,
            (
                "referee/test_misbehaving.py"
                "::test_a_flood_of_connections_takes_few_descriptors_of_the_lane"
            ),
        ),
    ),
    Row(
        "a bot named like another",
        "a name belongs to the owner key of its first version; a verdict falls on a seat",
        (),
        (
            "ladder/store/test_evidence.py::test_a_name_belongs_to_the_owner_of_its_first_version",
            "referee/test_misbehaving.py::test_a_verdict_falls_on_a_seat_and_not_on_a_name",
        ),
    ),
    Row(
        "a bot named like one that was first submitted without an owner key, as the demo's are",
        "such a name is open to all",
        (),
        ("ladder/store/test_evidence.py::test_a_name_without_an_owner_is_open_to_all",),
        is_contained=False,
    ),
)

ABUSE: tuple[Row, ...] = (
    _wire("a message over 64 KiB", "PROTOCOL", "oversized"),
    _wire("a message over 4 MiB", "DISCONNECT: gRPC ends the stream itself", "enormous"),
    _wire("deep nesting", "PROTOCOL", "nested"),
    _wire("bytes that are no message", "PROTOCOL", "not_a_message"),
    _wire("unknown enum value", "PROTOCOL", "unknown_card"),
    _wire("unknown kind of message or of action", "PROTOCOL", "unknown_kind", "unknown_action"),
    _wire("empty action", "PROTOCOL", "empty_action"),
    _wire("illegal action", "ILLEGAL_ACTION", "illegal_action"),
    _wire("answer to an old decision, or to none", "PROTOCOL", "old_decision", "unasked"),
    _wire("two answers", "PROTOCOL", "two_answers"),
    Row(
        "answer after the end; talking between two games or before the first",
        "no game is forfeited that has ended; a fresh process, or PROTOCOL in the next game",
        ("answers_after_the_end", "speaks_at_once"),
        (
            MISBEHAVING,
            (
                "referee/test_misbehaving.py"
                "::test_a_bot_that_talks_between_games_forfeits_none_of_them"
            ),
            (
                "referee/test_between_games.py"
                "::test_a_bot_that_fails_before_its_first_game_forfeits_it_at_its_start"
            ),
        ),
    ),
    _wire("a second Hello", "PROTOCOL", "second_hello"),
    _wire("another major version", "PROTOCOL, with what to install", "other_major"),
    _wire("a newer minor version, unknown fields", "tolerated", "newer_minor"),
    _wire("a flood of answers", "PROTOCOL at the first that is one too many", "flood"),
    _wire(
        "a flood of HTTP/2 frames beside an honest stream",
        "read at 128 KiB/s; the bot plays on, on its own clock",
        "floods_bytes",
    ),
    _wire("no window updates; reading no more", "TIME", "no_window", "reads_no_more"),
    _wire("bytes that trickle", "TIME", "trickles"),
    Row(
        "silence: never answering, never connecting",
        "TIME; DISCONNECT at the end of the start-up budget",
        ("hangs", "hangs_at_once", "never_connects"),
        (
            MISBEHAVING,
            (
                "referee/test_lane.py"
                "::test_a_dead_bot_is_noticed_within_a_second_even_while_it_is_held_still"
            ),
        ),
    ),
    _wire("half-closing or breaking the stream", "DISCONNECT", "half_closes", "disconnects"),
    _wire("connecting anew for another clock", "refused; the clock runs on: TIME", "knocks_again"),
    _wire("printing on standard output", "kept as evidence; harmless", "prints_garbage"),
    _wire(
        "ending, whatever the exit code or signal",
        "CRASH",
        "exits_at_once",
        "exits_politely",
        "crashes_in_mid_game",
        "dies_of_a_signal",
    ),
    Row(
        "ending between two games",
        "replaced by a fresh process; nothing is forfeited",
        ("leaves_between_games",),
        (
            (
                "referee/test_between_games.py"
                "::test_a_bot_that_ends_while_another_starts_is_replaced_and_forfeits_nothing"
            ),
        ),
    ),
    Row(
        "using more processor time than it has",
        "TIME by the meter, where processor time is measured",
        ("burns",),
        (
            (
                "referee/test_misbehaving_in_sandbox.py"
                "::test_by_processor_time_a_bot_that_burns_it_forfeits"
            ),
        ),
    ),
    Row(
        "any message at all, 100,000 of them",
        "the verdict that an independent reader of the bytes foretells",
        (),
        ("referee/test_fuzz.py::test_every_message_comes_to_its_verdict_and_nothing_is_left",),
    ),
)

HELP = {"steady", "dozes", "thinks", "waits", "crashes_at_the_opening", "stream", "http2"}
"""Programs that attack nothing: opponents, and what several of them share."""


def rendered() -> list[str]:
    """Return the lines of the page's table."""
    head = ["| attack | comes to | shown by |", "| --- | --- | --- |"]
    return head + [row.render() for row in (*ATTACKS, *ABUSE)]
