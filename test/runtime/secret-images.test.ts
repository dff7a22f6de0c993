// What images must not carry (I-07), and the gate before a pin, through a real host.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeRealHost } from './support/real-host.ts';
import { lookInto, openSecretHost, type SecretHost, values } from './support/secret-host.ts';
import { testRuntimes } from './support/test-image.ts';

describe.each(testRuntimes)('a host on $kind', (place) => {
  let house: SecretHost;
  beforeAll(async () => {
    house = await openSecretHost(place.kind);
    await house.set('TOKEN', values.token);
    await house.set('DRESSED', values.dressed);
  });
  afterAll(() => removeRealHost(house.host()));

  test('I-07: the prepared image has the variables of the recipe and no secret; setup runs are given none', {
    timeout: 300_000,
  }, async () => {
    const script =
      'env | sort > /workspace/seen\nif printenv TOKEN; then echo "a setup run was given a secret"; exit 9; fi\nprintenv A\nprintenv HTTPS_PROXY';
    const environment = await house.create({
      network_policy: { version: 'v1', rules: [{ action: 'allow', hosts: ['allowed.test'] }] },
      ...{ recipe_yaml: 'base: debian\nenv: {A: "1"}\n', secrets: ['TOKEN'] },
      setup: { script, timeout_seconds: 60 },
    });
    const build = await house.build(environment.id);
    expect((await house.host().call('pins.create', { build_id: build.id })).action).toBe('pinned');
    const run = await house.setupRun(environment.id);
    expect([run.status, run.hint]).toEqual(['succeeded', null]);
    const { env, leak } = await lookInto(place, run.prepared_image_id ?? '');
    expect([leak, env.includes('A=1'), env.filter((line) => /proxy|TOKEN/i.test(line))]).toEqual([null, true, []]);
    const launched = await house.launch(environment.id);
    expect(await house.shell(launched.id, 'grep -c TOKEN /workspace/seen; echo ${#TOKEN}')).toBe(`0\n${values.token.length}\n`);
    const open = await house.create({ recipe_yaml: 'base: debian\nenv: {A: "1"}\n', network_policy: {} });
    expect(await house.shell((await house.launch(open.id)).id, 'env | grep -ci proxy; true')).toBe('0\n');
  });

  test('an image that holds a secret is not pinned; the refusal says where, and the ledger why', { timeout: 300_000 }, async () => {
    const leaky = "printf '%s%s' s3cr3t/+Val ue== | base64 > /srv/leak";
    const recipe_yaml = `base: debian\ninitialize:\n  - {name: leak, run: "${leaky}"}\n`;
    const environment = await house.create({ recipe_yaml });
    const { id: build_id } = await house.build(environment.id);
    const refused = await house.host().refusal('pins.create', { build_id });
    expect([refused.code, refused.details['secret'], refused.message.includes('/srv/leak')]).toEqual(['secret_in_image', 'DRESSED', true]);
    const { pins } = await house.host().call('pins.list', { environment_id: environment.id });
    expect(pins.map(({ action, reason }) => [action, reason])).toEqual([['rejected', refused.message]]);
    expect((await house.host().call('environments.get', { environment_id: environment.id })).image.state).toBe('none');
  });
});
