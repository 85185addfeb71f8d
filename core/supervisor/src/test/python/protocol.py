"""Records, as supervisor.h describes them."""

TEXTS = {"arg", "env", "dir", "text"}


def as_bytes(value):
    return value if isinstance(value, bytes) else str(value).encode()


def order(kind, **fields):
    """The bytes of an order. A list stands for a field with several values."""
    content = [kind.encode()]
    for key, values in fields.items():
        for value in values if isinstance(values, (list, tuple)) else [values]:
            content.append(key.encode() + b"=" + as_bytes(value))
    return b"".join(field + b"\0" for field in content) + b"\0"


class Event:
    """An event. An attribute is the last value of a field; get_all returns all values."""

    def __init__(self, content):
        assert content.endswith(b"\0"), content
        kind, *fields = content[:-1].split(b"\0")
        self.name = kind.decode()
        self.fields = []
        for field in fields:
            key, _, value = field.partition(b"=")
            name = key.decode()
            self.fields.append((name, value if name in TEXTS else int(value)))

    def get_all(self, name):
        return [value for key, value in self.fields if key == name]

    def __getattr__(self, name):
        values = self.get_all(name)
        if not values:
            raise AttributeError(f"{self} has no {name}")
        return values[-1]

    def __repr__(self):
        return f"{self.name} {self.fields if len(self.fields) < 20 else len(self.fields)}"


class Events:
    """Decodes bytes, which may come in any pieces, into events."""

    def __init__(self):
        self.buffer = b""

    def add(self, data):
        self.buffer += data

    def next(self):
        content, end, rest = self.buffer.partition(b"\0\0")
        if not end:
            return None
        self.buffer = rest
        return Event(content + b"\0")
