/** The id of the line: of a page there is one. */
export const launchNoteId = 'why-no-launch';

/** Under the head of a page whose Launch is not possible now: why, without a mouse. */
export const LaunchNote = ({ obstacle }: { obstacle: string | null }) =>
  obstacle !== null && (
    <p className="page-note" id={launchNoteId}>
      <strong>Cannot be launched now.</strong> {obstacle}
    </p>
  );
