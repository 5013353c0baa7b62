"""Game records: SGF, GGF, JSON and plain lists of moves, with the analysis kept in the file.

>>> from sylve.records import FORMATS
>>> FORMATS
('sgf', 'ggf', 'json', 'moves')
"""

from sylve.errors import SourceChanged
from sylve.records.files import FORMATS, load_record, read_record, save_record, write_record
from sylve.records.record import InvalidRecord, Record, result_of

__all__ = [
    "FORMATS",
    "InvalidRecord",
    "Record",
    "SourceChanged",
    "load_record",
    "read_record",
    "result_of",
    "save_record",
    "write_record",
]
