// Lets the keychain of the system wrap the key to the secrets.
// Source: Electron, "safeStorage": Keychain on macOS, DPAPI on Windows, a secret service or kwallet on Linux.
import type { SafeStorage } from 'electron';
import type { KeyProtector } from '../../sandbox-engine/index.ts';

type Keychain = Pick<SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString' | 'getSelectedStorageBackend'>;

/** Makes the protector of the desktop app. Call after the app is ready: the keychain cannot be asked before. */
export const createKeyProtector = (keychain: Keychain, platform: NodeJS.Platform): KeyProtector => ({
  isAvailable: () => {
    if (!keychain.isEncryptionAvailable()) return false;
    // A Linux without a keychain gets a fixed password, which protects nothing: a file for the owner only is worth more.
    return platform !== 'linux' || !['basic_text', 'unknown'].includes(keychain.getSelectedStorageBackend());
  },
  protect: async (key) => keychain.encryptString(key.toString('base64')),
  unprotect: async (wrapped) => Buffer.from(keychain.decryptString(wrapped), 'base64'),
});
