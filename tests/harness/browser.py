"""A headless Chromium, driven over its debugging pipe; nothing but the standard library.

    with browser.Browser() as chromium:
        page = chromium.open('/tmp/page.html', width=360)
        page.evaluate('document.title')
        page.problems, page.requests

Messages are JSON, each ended by a NUL, on descriptors 3 (to the browser) and 4 (from it).
"""
import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

PROGRAMS = ('chromium', 'chromium-browser', 'google-chrome')
TIMEOUT = 60
PATIENCE = 10  # seconds for the browser to end


def program():
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix='slackwater-chromium-')
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()

        def descriptors():  # via high numbers, since either pipe may stand where the other must go
            os.dup2(to_read, 103)
            os.dup2(from_write, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)
        self.process = subprocess.Popen(
            [program(), '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking',
             '--remote-debugging-pipe', '--user-data-dir=' + self.profile],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=descriptors, start_new_session=True)
        os.close(to_read)
        os.close(from_write)
        self.waiting = b''
        self.number = 0
        self.pages = {}
        return self

    def __exit__(self, *_):
        """Ends all processes of the browser, not the first alone: each of them writes to the profile, which can be removed once none is left."""
        os.close(self.to_write)  # the browser ends when nobody can speak to it any more
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.from_read)
        self._remove_profile()

    def _remove_profile(self):
        """Whoever was killed may take a moment to be gone, and leaves files behind while the folder is being removed."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return shutil.rmtree(self.profile)
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def _receive(self, until):
        while b'\0' not in self.waiting:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_read], [], [], left)[0]:
                raise TimeoutError('the browser does not answer')
            got = os.read(self.from_read, 1 << 20)
            if not got:
                raise EOFError('the browser ended')
            self.waiting += got
        message, self.waiting = self.waiting.split(b'\0', 1)
        return json.loads(message)

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if session:
            message['sessionId'] = session
        data = json.dumps(message).encode() + b'\0'
        while data:
            data = data[os.write(self.to_write, data):]
        until = time.monotonic() + TIMEOUT
        while True:
            answer = self._receive(until)
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer['result']
            self._event(answer)

    def _event(self, message):
        page = self.pages.get(message.get('sessionId'))
        if page and 'method' in message:
            page.event(message['method'], message['params'])

    def wait(self, condition):
        until = time.monotonic() + TIMEOUT
        while not condition():
            self._event(self._receive(until))

    def open(self, path, width=1280, height=900, dark=False, script=True):
        target = self.send('Target.createTarget', url='about:blank')['targetId']
        session = self.send('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        page = self.pages[session] = Page(self, session)
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            page.send(domain + '.enable')
        page.send('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        page.send('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])
        page.send('Emulation.setScriptExecutionDisabled', value=not script)
        page.send('Page.navigate', url='file://' + os.path.abspath(path))
        self.wait(lambda: page.loaded)
        return page


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.problems, self.requests, self.loaded = [], [], False

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def event(self, method, parameters):
        if method == 'Page.loadEventFired':
            self.loaded = True
        elif method == 'Network.requestWillBeSent':
            self.requests.append(parameters['request']['url'])
        elif method == 'Log.entryAdded':
            self.problems.append(parameters['entry']['text'])
        elif method == 'Runtime.exceptionThrown':
            self.problems.append(parameters['exceptionDetails']['text'])
        elif method == 'Runtime.consoleAPICalled':
            self.problems.append(str(parameters['args']))

    def evaluate(self, expression):
        result = self.send('Runtime.evaluate', expression=expression, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(result['exceptionDetails'].get('exception', {}).get('description', 'exception'))
        return result['result'].get('value')

    def wait_for(self, expression):
        until = time.monotonic() + TIMEOUT
        while not self.evaluate(expression):
            if time.monotonic() > until:
                raise TimeoutError(expression)

    def press(self, key):
        code = {'Tab': 9, 'Enter': 13}.get(key, 0)
        extra = {'text': key} if len(key) == 1 else {'text': '\r'} if key == 'Enter' else {}
        self.send('Input.dispatchKeyEvent', type='keyDown', key=key, code=key, windowsVirtualKeyCode=code, **extra)
        self.send('Input.dispatchKeyEvent', type='keyUp', key=key, code=key, windowsVirtualKeyCode=code)

    def type(self, text):
        self.send('Input.insertText', text=text)

    def screenshot(self, path, height=None):
        clip = {}
        if height:
            width = self.evaluate('innerWidth')
            clip = {'clip': {'x': 0, 'y': 0, 'width': width, 'height': height, 'scale': 1}, 'captureBeyondViewport': True}
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.send('Page.captureScreenshot', format='png', **clip)['data']))
