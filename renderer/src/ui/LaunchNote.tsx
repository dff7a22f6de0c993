/** The id of the line: of a page there is one. */
export const launchNoteId = 'why-no-launch';

/** Under the head of a page whose Launch is not possible now: why, without a mouse. `of` is named where the page is not its own. */
export const LaunchNote = ({ obstacle, of }: { obstacle: string | null; of?: string | undefined }) =>
  obstacle !== null && (
    <p className="page-note" id={launchNoteId}>
      <strong>{of === undefined ? 'Cannot' : `“${of}” cannot`} be launched now.</strong> {obstacle}
    </p>
  );
