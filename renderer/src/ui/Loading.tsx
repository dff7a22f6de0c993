import { Loader } from '@mantine/core';

/** Stands where something will be; `what` is read aloud. */
export const Loading = ({ what }: { what: string }) => (
  <div className="starting" role="status">
    <Loader size={16} color="gray" aria-hidden="true" />
    <span className="visually-hidden">Loading {what}</span>
  </div>
);
