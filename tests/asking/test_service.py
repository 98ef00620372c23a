"""The recipe of docs/asking.md with a real service: slow, limited in rate, and failing at times."""

import json
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

from fmcts.asking import run
from told import BEGUN, evaluate, finished

PAGE = Path(__file__).parents[2] / 'docs' / 'asking.md'


@contextmanager
def service(answered):
    """The address of a service that answers prompts, three at a time at most."""
    draws, free = Random(1), threading.Semaphore(3)  # noqa: S311

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            prompt = json.loads(self.rfile.read(int(self.headers['Content-Length'])))['prompt']
            if not free.acquire(blocking=False):
                self.send_error(429)
                return
            try:
                time.sleep(draws.random() / 50)
                if draws.random() < 0.1:
                    self.send_error(500)
                    return
                text = 'Sorry!' if draws.random() < 0.05 else answered(prompt)
                body = json.dumps({'text': text}).encode()
                self.send_response(200)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            finally:
                free.release()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f'http://127.0.0.1:{server.server_port}'
    finally:
        server.shutdown()
        server.server_close()


def test_the_recipe_of_the_page(tmp_path):
    (code,) = re.findall(r'## A service.*?```python\n(.*?)```', PAGE.read_text(), re.DOTALL)
    states = {}

    def evaluated(state):
        states[repr(state)] = state
        return json.loads(names['complete'](repr(state)))

    with service(lambda prompt: json.dumps(evaluate(states[prompt]).value)) as address:
        names = {'json': json, 'started': BEGUN, 'evaluate': evaluated, 'run': run}
        names['ThreadPoolExecutor'] = ThreadPoolExecutor
        code = code.replace('http://localhost:8000', address)
        code = code.replace('attempts=5', 'attempts=500')
        code = code.replace("'answers'", repr(str(tmp_path / 'answers')))
        exec(code, names)  # noqa: S102
    assert (tmp_path / 'answers').exists()
    assert names['found'] == finished(BEGUN, lambda request: evaluate(request.state).value)
