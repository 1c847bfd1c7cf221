"""DuckDB's library, where scripts/fetch-adbc has put it: statements through its C interface."""
import ctypes
import os

ROOT = os.environ.get('SW_SOURCE_ROOT', '.')
FOLDERS = [*filter(None, os.environ.get('ADBC_DRIVER_PATH', '').split(':')), os.path.join(ROOT, 'build-adbc')]
MISSING = 'no %s was fetched (scripts/fetch-adbc)'


def library(name):
    return next((path for folder in FOLDERS if os.path.exists(path := os.path.join(folder, name))), None)


DUCKDB = library('libduckdb.so')


def duckdb(*statements, path=None):
    """Runs statements, over a file of DuckDB's or in memory."""
    lib = ctypes.CDLL(DUCKDB)
    db, connection, result = ctypes.c_void_p(), ctypes.c_void_p(), (ctypes.c_uint64 * 8)()
    lib.duckdb_result_error.restype = ctypes.c_char_p
    assert lib.duckdb_open(path.encode() if path else None, ctypes.byref(db)) == 0 and lib.duckdb_connect(db, ctypes.byref(connection)) == 0
    try:
        for sql in statements:
            if lib.duckdb_query(connection, sql.encode(), ctypes.byref(result)) != 0:
                raise RuntimeError(lib.duckdb_result_error(ctypes.byref(result)).decode())
            lib.duckdb_destroy_result(ctypes.byref(result))
    finally:
        lib.duckdb_disconnect(ctypes.byref(connection))
        lib.duckdb_close(ctypes.byref(db))
