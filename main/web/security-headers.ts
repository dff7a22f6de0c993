// What the browser is told about every answer of the web door. No remote content, nothing inline, no framing.
import { pagePolicy } from '../host/page-policy.ts';
import { plainStyleHash } from './plain-page.ts';

/** In development the page's own inline script and styles (hot reload) are let through: `'unsafe-inline'` counts only where no nonce stands. */
const forDevelopment = (policy: string): string =>
  policy
    .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
    .replace(/style-src 'self'[^;]*; style-src-attr 'none'/, "style-src 'self' 'unsafe-inline'");

/** All headers that do not depend on what is answered; the page must carry the same nonce. */
export const securityHeaders = (port: number, isDevelopment: boolean, nonce: string): Record<string, string> => {
  const connect = [`ws://127.0.0.1:${port}`, `ws://localhost:${port}`];
  const policy = pagePolicy({ nonce, connect, styleHashes: [plainStyleHash] });
  return {
    'content-security-policy': isDevelopment ? forDevelopment(policy) : policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()',
  };
};
