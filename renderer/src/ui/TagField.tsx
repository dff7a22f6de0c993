// A list of short texts in one field. Whoever takes one out goes on typing where it was.
import { TagsInput, type TagsInputProps } from '@mantine/core';
import { useRef } from 'react';

/** The kit's field with the cursor in it after a tag was removed. */
export const TagField = (props: TagsInputProps) => {
  const field = useRef<HTMLInputElement>(null);
  return <TagsInput {...props} ref={field} onRemove={() => field.current?.focus()} />;
};
