// What each network of a session is called.

export const networkWords = { unrestricted: 'Unrestricted', gate: 'By its rules', none: 'No access' } as const;
