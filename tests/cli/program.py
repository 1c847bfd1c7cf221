"""Calls the program under test."""
import os
import re
import subprocess

# Many tests run it in a folder of their own.
PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
ROOT = os.path.abspath(os.environ.get('SW_SOURCE_ROOT', '.'))
ENVIRONMENT = {**{k: v for k, v in os.environ.items() if k not in ('NO_COLOR', 'TERM', 'COLUMNS')}, 'LC_ALL': 'C.UTF-8'}


def call(*arguments, stdin='', env=None, **options):
    """(exit status, standard output, standard error)"""
    done = subprocess.run([PROGRAM, *arguments], input=stdin, capture_output=True, text=True, timeout=120,
                          env={**ENVIRONMENT, **(env or {})}, **options)
    return done.returncode, done.stdout, done.stderr


def listed_commands():
    return re.findall(r'^  ([a-z]+)  ', call('--help')[1], re.M)
