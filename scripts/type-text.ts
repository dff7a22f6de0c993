// Writes a zod schema as a short type for people; nouns that have a name of their own are named, not spelled out.

interface Def {
  type: string;
  [key: string]: unknown;
}
/** What is read of any zod schema. */
export interface Schema {
  def: { type: string };
}

export type NameOf = (schema: Schema) => string | null;

const field = (key: string, value: Schema, nameOf: NameOf): string => {
  const isOptional = value.def.type === 'optional' || value.def.type === 'default';
  return `${key}${isOptional ? '?' : ''}: ${typeText(value, nameOf)}`;
};

const writers: Record<string, (def: Def, nameOf: NameOf) => string> = {
  object: (def, nameOf) => {
    const fields = Object.entries(def['shape'] as Record<string, Schema>).map(([key, value]) => field(key, value, nameOf));
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  },
  array: (def, nameOf) => {
    const inner = typeText(def['element'] as Schema, nameOf);
    return inner.includes(' | ') && !inner.startsWith('{') ? `(${inner})[]` : `${inner}[]`;
  },
  record: (def, nameOf) => `{ [key]: ${typeText(def['valueType'] as Schema, nameOf)} }`,
  union: (def, nameOf) => (def['options'] as Schema[]).map((option) => typeText(option, nameOf)).join(' | '),
  optional: (def, nameOf) => typeText(def['innerType'] as Schema, nameOf),
  default: (def, nameOf) => typeText(def['innerType'] as Schema, nameOf),
  nullable: (def, nameOf) => `${typeText(def['innerType'] as Schema, nameOf)} | null`,
  enum: (def) =>
    Object.values(def['entries'] as Record<string, string>)
      .map((value) => `"${value}"`)
      .join(' | '),
  literal: (def) => (def['values'] as unknown[]).map((value) => JSON.stringify(value)).join(' | '),
};

/** The type of a schema as text. `spellOut` writes the fields of a named noun itself. */
export const typeText = (schema: Schema, nameOf: NameOf, spellOut = false): string =>
  (spellOut ? null : nameOf(schema)) ?? writers[schema.def.type]?.(schema.def as Def, nameOf) ?? schema.def.type;
