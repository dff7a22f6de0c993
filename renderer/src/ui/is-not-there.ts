import type { ErrorBody } from '../../../sandbox-engine/contract/errors.ts';

/** Whether a page's own thing is not there. The call had nothing but the id of the address, so one that cannot be an id is one that nothing has. */
export const isNotThere = ({ code }: ErrorBody): boolean => code === 'not_found' || code === 'invalid_request';
