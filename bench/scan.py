#!/usr/bin/env python3
"""How fast events are scanned for their positions: slackwater position scan beside wc -l and a reconciliation of the same file.

    bench/scan.py [--events N] [--runs N] [--threads N] [--folder DIR] [--program FILE]

Writes Debezium events (bench/gen_debezium.py, about 600 bytes each) into the folder once, reads the file once so that it is cached, then runs each program
and prints best and median: wall seconds, CPU seconds, events a CPU second and MB a CPU second. What the scan says is checked: the number of events, that no
position goes back, and that the answer is "cannot tell" (LSNs prove nothing).
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


def run(command):
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    parser.add_argument('--events', type=int, default=10_000_000)
    parser.add_argument('--runs', type=int, default=10)
    parser.add_argument('--threads', type=int, default=os.cpu_count())
    parser.add_argument('--folder', default='/tmp/slackwater-bench-scan')
    parser.add_argument('--program', default=os.path.join(ROOT, 'build', 'slackwater'))
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    events = os.path.join(arguments.folder, f'events-{arguments.events}.ndjson')
    rows = os.path.join(arguments.folder, f'rows-{arguments.events}.ndjson')
    if not os.path.exists(rows):
        subprocess.run([sys.executable, os.path.join(HERE, 'gen_debezium.py'), str(arguments.events), str(max(1, arguments.events // 2)), events, rows], check=True)
    size = os.path.getsize(events)
    threads = ['--threads', str(arguments.threads)]
    commands = [
        ('wc -l', ['wc', '-l', events], 0),
        ('position scan', [arguments.program, 'position', 'scan', '--json', '-e', events, '--order', 'postgres', *threads], 3),
        ('reconcile, events alone', [arguments.program, 'reconcile', '--json', '-e', events, '--order', 'postgres', '--key', 'id', '--states', '/dev/null', *threads], None),
    ]
    print(f'{arguments.events} events, {size / 1e6:.0f} MB, {arguments.threads} threads, {arguments.runs} runs; best / median')
    for name, command, status in commands:
        walls, cpus = [], []
        for _ in range(arguments.runs):
            done, wall, cpu = run(command)
            if status is not None and done.returncode != status:
                sys.exit(f'{name}: exit status {done.returncode}, expected {status}: {done.stderr[:500]}')
            if name == 'position scan':
                report = json.loads(done.stdout)
                if report['records']['events'] != arguments.events or report['arrival']['stepsBack'] or report['verdict'] != 'cannot tell':
                    sys.exit(f'the scan says something else than what was written: {report["records"]}, {report["arrival"]["stepsBack"]} steps back, {report["verdict"]}')
            walls.append(wall)
            cpus.append(cpu)
        best = min(cpus)
        print(f'  {name:24} wall {min(walls):6.2f} / {statistics.median(walls):6.2f} s   CPU {best:6.2f} / {statistics.median(cpus):6.2f} s   '
              f'{arguments.events / best / 1e6:6.2f} million events and {size / best / 1e6:6.0f} MB a CPU second')


if __name__ == '__main__':
    main()
