"""Calls every step of a walk through the client that openapi-python-client has generated: python walk.py PACKAGE WALK.json

An answer has to be parsed into its model, and the model has to give back what was answered. Prints a line for each step that fails.
"""

import datetime
import enum
import importlib
import inspect
import json
import pkgutil
import re
import sys
import types
import typing
import uuid


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def operations_of(package):
    """The functions that call an operation, by the name of their module."""
    found = {}
    for module in pkgutil.walk_packages(package.api.__path__, f"{package.api.__name__}."):
        if not module.ispkg:
            found[module.name.rsplit(".", 1)[1]] = importlib.import_module(module.name)
    return found


def of_type(hint, value):
    """A value of JSON as the type that a parameter has."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        problems = []
        for choice in typing.get_args(hint):
            try:
                return of_type(choice, value)
            except (TypeError, ValueError, KeyError, AttributeError) as problem:
                problems.append(problem)
        raise TypeError(f"{value!r} is none of {hint}: {problems}")
    if hint is uuid.UUID:
        return uuid.UUID(value)
    if hint is datetime.date:
        return datetime.date.fromisoformat(value)
    if inspect.isclass(hint) and issubclass(hint, enum.Enum):
        return hint(value)
    if inspect.isclass(hint) and hasattr(hint, "from_dict"):
        return hint.from_dict(value)
    if hint in (str, int, float, bool) and type(value) is hint:
        return value
    raise TypeError(f"{value!r} is not of {hint}")


def as_json(value):
    if isinstance(value, list):
        return [as_json(entry) for entry in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def call(client, operation, step):
    hints = typing.get_type_hints(operation.sync_detailed)
    names = inspect.signature(operation.sync_detailed).parameters
    given = {snake_case(name): value for name, value in {**step.get("path", {}), **step.get("query", {})}.items()}
    if "body" in step:
        given["body"] = step["body"]
    given = {name if name in names else f"{name}_": value for name, value in given.items()}
    arguments = {name: of_type(hints[name], value) for name, value in given.items()}
    return operation.sync_detailed(client=client, **arguments)


def judge(step, answered):
    if answered.status_code != step["status"]:
        raise AssertionError(f"{answered.status_code.value}, not {step['status']}: {answered.content[:200]!r}")
    kind = answered.headers.get("content-type", "").split(";")[0]
    if step["status"] == 204:
        assert answered.parsed is None and answered.content == b"", "a body where there is none"
    elif kind == "application/json":
        raw = json.loads(answered.content)
        assert answered.parsed is not None, "the answer was not parsed"
        assert not isinstance(answered.parsed, dict), "the answer has no model"
        assert as_json(answered.parsed) == raw, f"the model has {as_json(answered.parsed)}, and the answer was {raw}"
        return raw
    elif kind == "text/html":
        assert answered.parsed == answered.content.decode(), "the page is not the parsed one"
    else:
        assert answered.parsed.payload.read() == answered.content, "the file is not the parsed one"
    return None


def main(name, file):
    with open(file, encoding="utf-8") as opened:
        walk = json.load(opened)
    package = importlib.import_module(name)
    importlib.import_module(f"{name}.api")
    operations = operations_of(package)
    client = package.AuthenticatedClient(
        base_url=walk["baseUrl"], token=walk["token"], prefix="Token", raise_on_unexpected_status=True, timeout=60
    )
    known = {}
    failures = []
    for number, step in enumerate(walk["steps"], 1):
        try:
            filled = {part: {key: re.sub(r"\{(\w+)\}", lambda match: known[match[1]], value) for key, value in step.get(part, {}).items()} for part in ["path"]}
            raw = judge(step, call(client, operations[snake_case(step["operation"])], {**step, **filled}))
            if "keep" in step:
                known[step["keep"]] = (raw["results"][0] if "results" in raw else raw)["id"]
        except Exception as problem:
            failures.append(f"step {number}, {step['operation']}: {type(problem).__name__}: {problem}")
    uncalled = set(operations) - {snake_case(step["operation"]) for step in walk["steps"]}
    failures += [f"{operation} is not called" for operation in sorted(uncalled)]
    print("\n".join(failures or [f"{len(walk['steps'])} calls of {len(operations)} operations"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
