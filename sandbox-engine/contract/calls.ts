// Every call a client can make: name -> input and output. IPC, WebSocket, HTTP and CLI are derived from this one table.
// Inputs are strict: an unknown key is an error that names it. `dispatch` is the one place that checks them.
// One file a noun in calls/; this one puts them together.
import type { z } from 'zod';
import { activityCalls } from './calls/activity.ts';
import { agentCalls } from './calls/agents.ts';
import { appCalls } from './calls/app.ts';
import { auditCalls } from './calls/audit.ts';
import { buildCalls } from './calls/builds.ts';
import { egressLogCalls } from './calls/egress-log.ts';
import { egressPolicyCalls } from './calls/egress-policy.ts';
import { environmentCalls } from './calls/environments.ts';
import { imageCalls } from './calls/images.ts';
import { diskCalls, lifecycleCalls } from './calls/lifecycle.ts';
import { recipeCalls } from './calls/recipes.ts';
import { screenCalls } from './calls/screen.ts';
import { secretCalls } from './calls/secrets.ts';
import { sessionCalls } from './calls/sessions.ts';
import { setupCalls } from './calls/setup-runs.ts';
import { templateCalls } from './calls/templates.ts';
import { terminalCalls } from './calls/terminals.ts';
import { workspaceCalls } from './calls/workspace.ts';

export type { EnvironmentCreate, EnvironmentPatch, UncheckedCreate, UncheckedPatch } from './calls/environment-body.ts';
export { environmentCreate, environmentPatch } from './calls/environment-body.ts';

export const calls = {
  ...appCalls,
  ...environmentCalls,
  ...recipeCalls,
  ...buildCalls,
  ...setupCalls,
  ...egressPolicyCalls,
  ...egressLogCalls,
  ...secretCalls,
  ...sessionCalls,
  ...terminalCalls,
  ...auditCalls,
  ...imageCalls,
  ...workspaceCalls,
  ...screenCalls,
  ...lifecycleCalls,
  ...diskCalls,
  ...activityCalls,
  ...agentCalls,
  ...templateCalls,
} as const;

export type CallTable = typeof calls;
export type CallName = keyof CallTable;
/** What a client sends (defaults may be left out). */
export type CallInput<N extends CallName> = z.input<CallTable[N]['input']>;
/** What a handler gets (defaults filled in). */
export type CallArguments<N extends CallName> = z.output<CallTable[N]['input']>;
export type CallOutput<N extends CallName> = z.infer<CallTable[N]['output']>;
