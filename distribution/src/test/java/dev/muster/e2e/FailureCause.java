package dev.muster.e2e;

/** Why a rank in Python fails, and which of its words a verdict must show. */
enum FailureCause {
    EXCEPTION(1, "raise ValueError('no batch 17 in shard 3')", "ValueError: no batch 17 in shard 3"),
    CHAINED(1, """
            try:
                {}['weights']
            except KeyError as missing:
                raise RuntimeError('cannot restore the model') from missing
            """, "KeyError: 'weights'", "RuntimeError: cannot restore the model"),
    IMPORT(1, "import torch_visionn", "ModuleNotFoundError: No module named 'torch_visionn'", "install the module"),
    SYNTAX(1, "def train(:\n    pass", "SyntaxError: ", "cause.py\", line 1"),
    ASSERTION(1, "assert 3 == 4, 'shapes differ'", "AssertionError: shapes differ"),
    EXIT_WITH_WORDS(1, "import sys; sys.exit('the data set is empty')", "the data set is empty"),
    EXIT_WITH_CODE(3, "import sys; print('giving up: loss is NaN'); sys.exit(3)", "giving up: loss is NaN"),
    SILENT(7, "import os; os._exit(7)", "exit code 7"),
    LIBRARY(
            1,
            "import ctypes; ctypes.CDLL('libnpu_missing.so.1')",
            "OSError: libnpu_missing.so.1: cannot open shared object file",
            "LD_LIBRARY_PATH"),
    ADDRESS_SPACE(1, """
            import resource
            resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))
            x = bytearray(1 << 30)
            """, "MemoryError"),
    SEGMENTATION_FAULT(139, "import ctypes; ctypes.string_at(0)", "SIGSEGV"),
    FAULT_HANDLER(
            139,
            "import ctypes, faulthandler; faulthandler.enable(); ctypes.string_at(0)",
            "SIGSEGV",
            "Fatal Python error: Segmentation fault"),
    ABORT(
            134,
            "import os; print('corrupted optimizer state', flush=True); os.abort()",
            "SIGABRT",
            "corrupted optimizer"),
    INTERRUPT(130, "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(1)", "KeyboardInterrupt"),
    PIPE(1, """
            import subprocess
            reader = subprocess.Popen(['true'], stdin=subprocess.PIPE, bufsize=0)
            reader.wait()
            reader.stdin.write(b'x')
            """, "BrokenPipeError: [Errno 32] Broken pipe"),
    THREAD(4, """
            import sys, threading
            def read():
                raise RuntimeError('the reader died')
            reader = threading.Thread(target=read)
            reader.start()
            reader.join()
            sys.exit(4)
            """, "RuntimeError: the reader died"),
    CHILD(
            1,
            "import subprocess; subprocess.run(['sh', '-c', 'exit 9'], check=True)",
            "CalledProcessError: Command '['sh', '-c', 'exit 9']' returned non-zero exit status 9"),
    PERMISSION(1, "import os; os.execv('/etc/passwd', ['x'])", "PermissionError: [Errno 13] Permission denied"),
    MISSING_FILE(
            1,
            "open('/data/shards/train-0007.bin')",
            "FileNotFoundError: [Errno 2] No such file or directory: '/data/shards/train-0007.bin'"),
    PORT(1, """
            import socket
            first, second = socket.socket(), socket.socket()
            first.bind(('127.0.0.1', 0))
            first.listen()
            second.bind(first.getsockname())
            """, "OSError: [Errno 98] Address already in use"),
    FULL_DISK(1, """
            checkpoint = open('/dev/full', 'w', 1)
            checkpoint.write('x' * 100000 + chr(10))
            """, "OSError: [Errno 28] No space left on device"),
    RECURSION(
            1, "def walk(tree):\n    return walk(tree)\nwalk({})", "RecursionError: maximum recursion depth exceeded"),
    UNICODE(1, "b'caf\\xe9'.decode()", "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 3"),
    DEEP_STACK(1, """
            def call(depth):
                if depth == 0:
                    raise OverflowError('gradient overflow in layer 40')
                (call if depth % 2 else (lambda rest: call(rest)))(depth - 1)
            call(40)
            """, "OverflowError: gradient overflow in layer 40");

    private final int exitCode;
    private final String source;
    /** One per line. */
    private final String words;

    FailureCause(int exitCode, String source, String... words) {
        this.exitCode = exitCode;
        this.source = source;
        this.words = String.join("\n", words);
    }

    int exitCode() {
        return exitCode;
    }

    /** The program. */
    String source() {
        return source;
    }

    /** The words that the verdict must show. */
    String[] words() {
        return words.split("\n", -1);
    }
}
