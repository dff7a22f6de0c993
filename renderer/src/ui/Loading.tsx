import { Loader } from '@mantine/core';

/** Stands where something will be, and says what. */
export const Loading = ({ what, verb = 'Loading' }: { what: string; verb?: string }) => (
  <div className="starting" role="status">
    <span className="row">
      <Loader size={16} color="gray" aria-hidden="true" />
      {verb} {what}…
    </span>
  </div>
);
