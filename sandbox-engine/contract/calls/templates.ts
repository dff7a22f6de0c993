// Calls about templates: reviewed starting points, and environments that a person has kept as one.
import { z } from 'zod';
import { environmentId, template, templateId } from '../model.ts';
import { done, empty, name } from './input.ts';

const summary = z.string().max(500);

export const templateCalls = {
  /** The reviewed ones first, then the person's own, the newest first. */
  'templates.list': { input: empty, output: z.strictObject({ items: z.array(template) }) },
  /** Keeps an environment as it is now as a template: no values of secrets, no metadata, no runtime. @throws already_exists */
  'templates.save': {
    input: z.strictObject({ environment_id: environmentId, name: name.optional(), summary: summary.optional() }),
    output: template,
  },
  /** Of the person's own. With an environment, its definition takes the place of the old one. @throws already_exists */
  'templates.update': {
    input: z.strictObject({
      template_id: templateId,
      name: name.optional(),
      summary: summary.optional(),
      environment_id: environmentId.optional(),
    }),
    output: template,
  },
  /** For good; environments that were made from it stay. */
  'templates.delete': { input: z.strictObject({ template_id: templateId }), output: done },
} as const;
