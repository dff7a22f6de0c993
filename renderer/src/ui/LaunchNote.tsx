import { Link } from 'wouter';

/** The id of the line: of a page there is one. */
export const launchNoteId = 'why-no-launch';

interface LaunchNoteProps {
  obstacle: string | null;
  of?: string | undefined;
  /** Where that is mended. */
  way?: { label: string; href: string } | undefined;
  /** The page says it in sight already: then only who asks the button hears it. */
  isSaid?: boolean;
}

/** Under the head of a page whose Launch is not possible now: why, without a mouse. `of` is named where the page is not its own. */
export const LaunchNote = ({ obstacle, of, way, isSaid = false }: LaunchNoteProps) =>
  obstacle !== null && (
    <p className={isSaid ? 'visually-hidden' : 'page-note'} id={launchNoteId}>
      <strong>{of === undefined ? 'Cannot' : `“${of}” cannot`} be launched now.</strong> {obstacle}
      {way && (
        <>
          {' '}
          <Link className="link" href={way.href}>
            {way.label}
          </Link>
        </>
      )}
    </p>
  );
