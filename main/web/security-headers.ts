// What the browser is told about every answer of the web door. No remote content, no inline script, no framing.

/** The content policy; in development the page's own inline script (hot reload) is let through. */
const contentPolicy = (port: number, isDevelopment: boolean): string =>
  [
    "default-src 'none'",
    `script-src 'self'${isDevelopment ? " 'unsafe-inline'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** All headers that do not depend on what is answered. */
export const securityHeaders = (port: number, isDevelopment: boolean): Record<string, string> => ({
  'content-security-policy': contentPolicy(port, isDevelopment),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), payment=()',
});
