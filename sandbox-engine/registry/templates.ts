// The person's own templates on disk: unique names, in the order of their making. The reviewed ones are data of the recipe room.
import { SandlotError } from '../base/errors.ts';
import type { Template } from '../contract/model.ts';
import { type BodyRow, instantOf, readBodies, readBody } from './body.ts';
import type { Database, Reader } from './database.ts';
import { foldCase } from './fold-case.ts';
import type { TemplateStore } from './registry.ts';

const notFound = (id: string): SandlotError =>
  new SandlotError('not_found', `There is no template "${id}" of your own.`, { nextAction: 'List them with: sandlot template list' });

const refuseTakenName = async (reader: Reader, { id, name }: Template): Promise<void> => {
  const taken = await reader.get<{ id: string }>('SELECT id FROM templates WHERE name_folded = ? AND id <> ?', [foldCase(name), id]);
  if (taken === undefined) return;
  throw new SandlotError('already_exists', `There is already a template "${name}".`, {
    details: { path: '/name', template_id: taken.id },
    nextAction: 'Choose another name, or delete the template that has it.',
  });
};

/** The store of templates in this database. */
export const createTemplateStore = (database: Database): TemplateStore => ({
  list: async () => readBodies(await database.all<BodyRow>('SELECT body FROM templates ORDER BY created_ms DESC, id DESC')),
  find: async (id) => readBody(await database.get<BodyRow>('SELECT body FROM templates WHERE id = ?', [id])),
  insert: (template, at) =>
    database.transaction(
      async (transaction) => {
        await refuseTakenName(transaction, template);
        const row = [template.id, foldCase(template.name), instantOf(at), JSON.stringify(template)];
        await transaction.run('INSERT INTO templates (id, name_folded, created_ms, body) VALUES (?, ?, ?, ?)', row);
      },
      { durable: true },
    ),
  replace: (template) =>
    database.transaction(
      async (transaction) => {
        await refuseTakenName(transaction, template);
        const row = [foldCase(template.name), JSON.stringify(template), template.id];
        if ((await transaction.run('UPDATE templates SET name_folded = ?, body = ? WHERE id = ?', row)) === 0) throw notFound(template.id);
      },
      { durable: true },
    ),
  remove: (id) =>
    database.transaction(
      async (transaction) => {
        if ((await transaction.run('DELETE FROM templates WHERE id = ?', [id])) === 0) throw notFound(id);
      },
      { durable: true },
    ),
});
