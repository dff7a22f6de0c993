// Finds out whether what listens behind a forward speaks HTTP or TLS, so that a browser is given the right address. It is asked in plain
// HTTP first: a server of that writes one request into its log, where a TLS handshake would leave it garbage.
import { createConnection } from 'node:net';
import { connect } from 'node:tls';

const waitMs = 1_500;
const usualHttps = new Set([443, 8443]);
/** The longest beginning of an answer that tells its status. */
const statusLine = /^HTTP\/1\.[01] (\d{3})/;
const statusLength = 'HTTP/1.1 200'.length;

/** What came back: the status of an HTTP answer, something else, or nothing in time. */
type Answer = number | 'other' | 'silence';

/** Asks for the head of the first page. */
const askPlainly = (localPort: number): Promise<Answer> =>
  new Promise((resolve) => {
    let came = '';
    const socket = createConnection({ host: '127.0.0.1', port: localPort });
    const answer = (found: Answer): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(found);
    };
    const judge = (): void => {
      const status = statusLine.exec(came)?.[1];
      answer(status === undefined ? 'other' : Number(status));
    };
    const timer = setTimeout(() => answer('silence'), waitMs);
    socket.setEncoding('latin1');
    socket.once('connect', () => socket.write(`HEAD / HTTP/1.1\r\nHost: 127.0.0.1:${localPort}\r\nConnection: close\r\n\r\n`));
    socket.on('data', (text: string) => {
      came += text;
      if (came.length >= statusLength || !'HTTP/1.'.startsWith(came.slice(0, 7))) judge();
    });
    socket.once('end', judge);
    socket.once('error', judge);
  });

/** Whether a TLS handshake gets as far as a certificate, whoever signed it; null when nothing was said in time. */
const speaksTls = (localPort: number): Promise<boolean | null> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: localPort, rejectUnauthorized: false, servername: 'localhost' });
    const answer = (found: boolean | null): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(found);
    };
    const timer = setTimeout(() => answer(null), waitMs);
    socket.once('secureConnect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('end', () => answer(false));
  });

const isHttps = async (port: number, localPort: number): Promise<boolean> => {
  const answer = await askPlainly(localPort);
  // A server that is asked in the wrong way says so at once; one that makes its first page may take long.
  if (answer === 'silence') return usualHttps.has(port);
  // Servers of TLS answer plain HTTP so, in plain HTTP.
  if (answer !== 'other' && answer !== 400) return false;
  return (await speaksTls(localPort)) ?? usualHttps.has(port);
};

/** The address of a forward for a browser. */
export const guessUrl = async (port: number, localPort: number): Promise<string> =>
  `${(await isHttps(port, localPort)) ? 'https' : 'http'}://127.0.0.1:${localPort}/`;
