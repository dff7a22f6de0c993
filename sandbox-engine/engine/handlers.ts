// One handler a call: puts the handlers of all rooms together.
import { createAgentCalls } from './agent-calls.ts';
import { createAppCalls } from './app-calls.ts';
import { openAuditLog } from './audit-log.ts';
import { createBuildCalls } from './build-calls.ts';
import { createDiskCalls } from './disk-calls.ts';
import { createEgressPolicyCalls } from './egress-policy-calls.ts';
import { createEnvironmentCalls } from './environment-calls.ts';
import type { Handlers } from './house.ts';
import { createImageCalls } from './image-calls.ts';
import type { PlanRooms } from './launch-plan.ts';
import { createLifecycleCalls, createSettingsCalls } from './lifecycle-calls.ts';
import type { LiveSessions } from './live-sessions.ts';
import { createScreenCalls } from './screen-calls.ts';
import { createSecretCalls } from './secret-calls.ts';
import { createSessionCalls, createTerminalCalls } from './session-calls.ts';
import { createSetupCalls } from './setup-calls.ts';
import { createTemplateCalls } from './template-calls.ts';

/** Makes them for one host. */
export const createHandlers = (
  rooms: PlanRooms,
  live: LiveSessions,
  onShutdown: ((stopSessions: boolean) => void) | undefined,
): Handlers => {
  const { house, views, defaultBase } = rooms;
  const audit = openAuditLog(house);
  const environmentCalls = createEnvironmentCalls(house, views);
  return audit.recorded({
    ...createAppCalls(house, views, (stopSessions) => onShutdown?.(stopSessions)),
    ...environmentCalls,
    ...house.egress.calls((environment_id, patch) => environmentCalls['environments.update']({ environment_id, patch })),
    ...createEgressPolicyCalls({ house, views, presets: house.presets, defaultBase }),
    ...createBuildCalls(house, views),
    ...createSetupCalls(house),
    ...createSessionCalls(rooms),
    ...rooms.house.sessions.workspaceCalls,
    ...createLifecycleCalls(rooms, live),
    ...createSettingsCalls(rooms),
    ...createDiskCalls(house),
    ...createTerminalCalls(house, live),
    ...createSecretCalls(house),
    ...createScreenCalls(house),
    ...createAgentCalls(house),
    ...createTemplateCalls(house),
    ...house.activity.calls,
    ...createImageCalls(house),
    ...audit.calls,
  });
};
