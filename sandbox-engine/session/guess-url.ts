// Finds out whether what listens behind a forward speaks TLS, so that a browser is given the right address.
import { connect } from 'node:tls';

const waitMs = 1_500;
const usualHttps = new Set([443, 8443]);

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

/** The address of a forward for a browser. */
export const guessUrl = async (port: number, localPort: number): Promise<string> => {
  const isTls = (await speaksTls(localPort)) ?? usualHttps.has(port);
  return `${isTls ? 'https' : 'http'}://127.0.0.1:${localPort}/`;
};
