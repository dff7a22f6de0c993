// What is known about hosts that many people share and hosts that take uploads; only ever a hint, never a decision.
// Source: NETWORK.md 1.7 (warnings); the public documentation of each service.
import { parentsOf } from './host-pattern.ts';
import { publicSuffixKind } from './public-suffix.ts';

// Names below these belong to whoever rents one; the Public Suffix List has most of them, not all.
const sharedSuffixes = new Set([
  'github.io',
  'githubusercontent.com',
  'gitlab.io',
  'vercel.app',
  'netlify.app',
  'pages.dev',
  'workers.dev',
  'r2.dev',
  'amazonaws.com',
  'cloudfront.net',
  'azurewebsites.net',
  'azureedge.net',
  'blob.core.windows.net',
  'core.windows.net',
  'windows.net',
  'googleapis.com',
  'storage.googleapis.com',
  'run.app',
  'appspot.com',
  'web.app',
  'firebaseapp.com',
  'herokuapp.com',
  'onrender.com',
  'fly.dev',
  'digitaloceanspaces.com',
  'ngrok.io',
  'ngrok.app',
  'trycloudflare.com',
  'fastly.net',
  'akamaized.net',
]);

const sharedHosts = new Set([
  'storage.googleapis.com',
  'storage.cloud.google.com',
  'firebasestorage.googleapis.com',
  's3.amazonaws.com',
  'drive.google.com',
  'docs.google.com',
  'dl.dropboxusercontent.com',
  'raw.githubusercontent.com',
  'gist.githubusercontent.com',
  'cdn.discordapp.com',
]);

const uploadHosts = new Set([
  'github.com',
  'api.github.com',
  'gist.github.com',
  'uploads.github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'huggingface.co',
  'storage.googleapis.com',
  's3.amazonaws.com',
  'api.dropboxapi.com',
  'content.dropboxapi.com',
  'drive.google.com',
  'www.googleapis.com',
  'pastebin.com',
  'transfer.sh',
  'file.io',
  'hooks.slack.com',
  'slack.com',
  'discord.com',
  'api.telegram.org',
]);

const regionalStore = /^s3[.-][a-z0-9-]+\.amazonaws\.com$/;

/** Whether names below this name belong to different people. */
export const isSharedSuffix = (name: string): boolean => sharedSuffixes.has(name) || publicSuffixKind(name) === 'private';

/** Whether this one host serves things of different people. */
export const isSharedHost = (name: string): boolean => sharedHosts.has(name) || regionalStore.test(name);

/** Whether data can be sent away through this host by pushing, publishing or uploading. */
export const takesUploads = (name: string): boolean => uploadHosts.has(name) || regionalStore.test(name);

/** Whether a wildcard over this name meets hosts that take uploads. */
export const meetsUploads = (name: string): boolean => [...uploadHosts].some((host) => parentsOf(host).includes(name));
