import importlib.util
import sys

print("%d.%d.%d" % sys.version_info[:3])
for name in ("torch", "torch_npu", "tensorflow", "mindspore", "horovod", "mpi4py", "numpy"):
    if importlib.util.find_spec(name):
        try:
            from importlib.metadata import version
            print(name, version(name))
        except Exception:
            print(name, "of an unknown version")
