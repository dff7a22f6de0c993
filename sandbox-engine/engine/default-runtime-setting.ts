/** Where the registry keeps which runtime a person prefers for new environments. */
export const defaultRuntimeSetting = 'default_runtime';
