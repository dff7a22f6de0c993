// What each network of a session is called.

export const networkWords = { unrestricted: 'Unrestricted', gate: 'Closed but for its rules', none: 'No access' } as const;
