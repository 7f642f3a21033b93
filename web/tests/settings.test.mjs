// SPDX-License-Identifier: Apache-2.0
// Changes settings of the studio in Chromium: undo, cancel, what is refused, and a server that goes away.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { eventually, long, long_test, until, watched } from './browser.mjs';
import { serve } from './server.mjs';
import {
  answered, ask, asked, browser, check_answer, hold, link_to, noise, offers, press, run_through, server, settled, shown, start, state_of, type, visit,
} from './studio.mjs';

describe('settings of the studio', { concurrency: false }, () => {
  test('sliders moved at random: every answer arrives, and the latest setting wins', () => visit({}, async (page) => {
    await settled(page);
    for (let stop = 1; stop <= 6; ++stop) await answered(page, () => run_through(noise(page), [stop * 5]));
    // Nobody waits for the answers to these.
    for (let i = 0; i < 12; ++i) await run_through([noise(page), page.locator('#direct-threshold')][i % 2], [1 + ((7 * i) % 30), 1 + ((11 * i) % 30)]);
    await settled(page);
    const { settings } = await state_of(page);
    assert.equal(settings.publish.steps.length, 2);
    await check_answer(page, await asked(settings));
    assert.equal(await page.locator('#failure, #cancel').count(), 0, 'nothing is under way or failed');
  }));

  test('undo and redo, by buttons and by the browser', () => visit({}, async (page) => {
    await settled(page);
    const publish = async () => (await state_of(page)).settings.publish?.steps?.join() ?? '';
    assert.equal(await page.locator('#undo').isDisabled(), true);
    // What follows soon is one change, and one of another control is another.
    await answered(page, () => run_through(noise(page), [1, 2, 3, 4, 5]));
    const first = await publish();
    await answered(page, () => run_through(page.locator('#direct-threshold'), [1, 2, 3]));
    const second = await publish();
    assert.match(second, /LAPLACE.*,SUPPRESS/);
    await answered(page, () => page.goBack());
    assert.equal(await publish(), first);
    await answered(page, () => page.goBack());
    assert.equal(await publish(), '');
    assert.equal(await page.locator('#undo').isDisabled(), true);
    await answered(page, () => page.locator('#redo').click());
    assert.equal(await publish(), first);
    await answered(page, () => page.goForward());
    assert.equal(await publish(), second);
    assert.equal(await page.locator('#redo').isDisabled(), true);
    // Far left takes the step out again.
    await answered(page, () => press(page, noise(page), 'Home'));
    assert.match(await publish(), /^SUPPRESS/);
  }));

  test('cancelled, the former answer and settings are back', () => visit({}, async (page) => {
    await settled(page);
    const { settings } = await state_of(page);
    const before = await page.locator('#brief dl').innerText();
    await page.locator('summary', { hasText: 'What she knows' }).click();
    const held = await hold(page, 'run');
    // The last two are fitted, which takes the server longer.
    const others = offers.priors.map(({ name }) => name).filter((name) => !settings.priors.includes(name));
    for (const name of long ? others.slice(-2) : others.slice(0, 2)) await page.locator(`input[name="priors"][value="${name}"]`).check();
    await page.locator('#cancel').waitFor();
    assert.equal(await page.locator('#progress').isVisible(), true);
    assert.equal(await page.locator('main [aria-busy]').first().getAttribute('aria-busy'), 'true');
    assert.ok((await page.locator('main .old').count()) > 0, 'what is shown is marked as old');
    assert.equal(await page.locator('.former').isVisible(), true);
    assert.equal(await page.locator('#save-study').isDisabled(), true);
    await page.locator('#cancel').click();
    await page.locator('#again').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'again', 'where the button was');
    assert.deepEqual((await state_of(page)).settings, settings);
    assert.equal(await page.locator('#brief dl').innerText(), before);
    assert.equal(await page.locator('main .old').count(), 0);
    assert.equal(await page.locator('.former').isVisible(), false);
    assert.equal(await page.locator('#save-study').isDisabled(), false);
    assert.equal(await page.locator('#undo').isDisabled(), true, 'nothing was changed');
    assert.equal(await page.locator('#redo').isDisabled(), false);
    await held.free();
    await answered(page, () => page.locator('#again').click());
    assert.deepEqual((await state_of(page)).settings.priors.length, 3);
    await check_answer(page, await asked((await state_of(page)).settings));
  }));

  long_test('Escape cancels, also the second of two changes', () => visit({}, async (page) => {
    await settled(page);
    await answered(page, () => type(page, 'Noise', 2));
    const { settings } = await state_of(page);
    const held = await hold(page, 'run');
    await type(page, 'Noise', 0.5);
    await type(page, 'Threshold', 3);
    await held.first();
    await page.keyboard.press('Escape');
    await page.locator('#again').waitFor();
    assert.deepEqual((await state_of(page)).settings, settings);
    await held.free();
    // What was before is one undo away.
    await answered(page, () => page.locator('#undo').click());
    assert.equal((await state_of(page)).settings.publish, null);
  }));

  test('an arrow key held: the request under way is waited for, and the last one counts', () => visit({}, async (page) => {
    await settled(page);
    const held = await hold(page, 'run');
    const before = await shown(page);
    await noise(page).focus();
    for (let i = 0; i < 5; ++i) await page.keyboard.down('ArrowRight');
    await held.first();
    assert.equal(await noise(page).inputValue(), '5');
    assert.equal(held.asked.length, 1, 'none was given up for another');
    await held.free();
    await until(page, (old) => Number(document.querySelector('#brief').dataset.shown) >= old, before + 2);
    await answered(page, async () => {
      await page.keyboard.down('ArrowRight');
      await page.keyboard.up('ArrowRight');
    });
    assert.equal(await noise(page).inputValue(), '6');
    await check_answer(page, await asked((await state_of(page)).settings));
    // All of it was one change.
    await answered(page, () => page.locator('#undo').click());
    assert.equal((await state_of(page)).settings.publish, null);
  }));

  long_test('a slider moved a thousand times changes the address a few times', () => visit({}, async (page) => {
    await settled(page);
    await state_of(page);
    await page.evaluate(() => {
      window.writes = 0;
      for (const name of ['pushState', 'replaceState']) {
        const real = history[name];
        history[name] = function (...all) {
          window.writes += 1;
          return real.apply(this, all);
        };
      }
    });
    await run_through(noise(page), Array.from({ length: 1000 }, (_, i) => 1 + (i % 50)));
    await settled(page);
    assert.equal((await state_of(page)).settings.publish.steps.length, 1);
    assert.equal(await page.evaluate(() => window.writes), 2);
    // Where the browser takes no more for a while, it is asked again later.
    await page.evaluate(() => {
      window.real = history.pushState;
      history.pushState = () => { throw new DOMException('too many', 'SecurityError'); };
    });
    await answered(page, () => type(page, 'Threshold', 3));
    assert.equal((await state_of(page)).settings.publish.steps.length, 2);
    await page.evaluate(() => (history.pushState = window.real));
    await answered(page, () => type(page, 'Noise', 1.5));
    await answered(page, () => page.locator('#undo').click());
    assert.equal((await state_of(page)).settings.publish.steps.length, 2);
  }));

  test('undo pressed twice at once goes one step at a time', () => visit({}, async (page) => {
    await settled(page);
    await answered(page, () => type(page, 'Noise', 1.5));
    await page.evaluate(() => {
      document.querySelector('#undo').click();
      document.querySelector('#undo').click();
    });
    await until(page, () => document.querySelector('#undo').disabled);
    await settled(page);
    assert.equal((await state_of(page)).settings.publish, null);
    await answered(page, () => page.locator('#redo').click());
    assert.deepEqual((await state_of(page)).settings.publish.steps, ['LAPLACE(epsilon=1.5)']);
  }));

  long_test('what is changed while the browser is on its way back is a change of what is there', () => visit({}, async (page) => {
    await settled(page);
    await answered(page, () => type(page, 'Noise', 1.5));
    await answered(page, () => type(page, 'Threshold', 3));
    await answered(page, () => page.evaluate(() => {
      document.querySelector('#undo').click();
      const seed = document.querySelector('#seed');
      seed.value = 7;
      seed.dispatchEvent(new Event('change', { bubbles: true }));
    }));
    const { settings } = await state_of(page);
    assert.deepEqual([settings.seed, settings.publish.steps], [7, ['LAPLACE(epsilon=1.5)', 'SUPPRESS(at_most=3)']]);
    assert.equal(await page.locator('#redo').isDisabled(), true);
    await answered(page, () => page.locator('#undo').click());
    const before = (await state_of(page)).settings;
    assert.deepEqual([before.seed, before.publish.steps], [start.seed, ['LAPLACE(epsilon=1.5)']]);
  }));

  test('in a frame, undo leaves the page around it alone', async () => {
    const context = await browser.newContext();
    const { page, errors } = await watched(context);
    try {
      // As the server of a notebook serves it.
      await page.route(`${server.origin}/`, async (route) => {
        const response = await route.fetch();
        const headers = Object.fromEntries(Object.entries(response.headers()).map(([name, value]) => [name, value.replace(/frame-ancestors [^;]*/, 'frame-ancestors *')]).filter(([name]) => name !== 'x-frame-options'));
        await route.fulfill({ response, headers });
      });
      await page.route('**/around', (route) => route.fulfill({ contentType: 'text/html', body: `<iframe src="${link_to(start)}" width="1200" height="800"></iframe>` }));
      await page.goto(`${server.origin}/around`);
      const frame = await (await page.waitForSelector('iframe')).contentFrame();
      await settled(frame);
      const length = await page.evaluate(() => history.length);
      await answered(frame, () => run_through(noise(frame), [20]));
      await page.evaluate(() => history.pushState(null, '', '#further'));
      const { settings } = await state_of(frame);
      await answered(frame, () => frame.locator('#undo').click());
      assert.equal((await state_of(frame)).settings.publish, null);
      assert.equal(await frame.locator('#undo').isDisabled(), true);
      await answered(frame, () => frame.locator('#redo').click());
      assert.deepEqual((await state_of(frame)).settings, settings);
      assert.deepEqual(await page.evaluate(() => [history.length, location.hash]), [length + 1, '#further']);
      assert.deepEqual(errors, []);
    } finally {
      await context.close();
    }
  });

  long_test('a step that says its noise in another way', () => {
    const { name, parameters } = offers.steps.find((step) => step.parameters.some((one) => one.name === 'epsilon' && one.alternative === 'rho'));
    const others = parameters.filter((one) => one.default === null && !['epsilon', 'rho'].includes(one.name));
    assert.deepEqual(others, []);
    return visit({}, async (page) => {
      await settled(page);
      assert.equal(await noise(page).getAttribute('aria-valuetext'), `${name}(rho=0.5)`);
      await answered(page, () => type(page, 'Noise', 2));
      assert.deepEqual((await state_of(page)).settings.publish.steps, [`${name}(epsilon=2)`]);
    }, { address: link_to({ ...start, publish: { steps: [`${name}(rho=0.5)`] } }) });
  });

  long_test('what is pinned stays known, whatever is asked after it', () => visit({}, async (page) => {
    await settled(page);
    await page.locator('#pin').click();
    let requests = 0;
    const body = await (await ask('run', start)).text();
    await page.route('**/api/run', (route) => {
      requests += 1;
      return route.fulfill({ body });
    });
    for (let seed = 2; seed < 30; ++seed) {
      await answered(page, async () => {
        await page.locator('#seed').fill(String(seed));
        await page.keyboard.press('Enter');
      });
    }
    assert.equal(requests, 28);
    await answered(page, () => page.getByRole('button', { name: 'Restore pin 1' }).click());
    assert.equal(requests, 28);
    assert.match(await page.locator('#compare').innerText(), /are the pinned ones/);
  }));

  test('a pin that the server refuses is asked for once, and says why', () => visit({}, async (page) => {
    await page.locator('#compare .error').waitFor();
    assert.match(await page.locator('#compare .error').textContent(), /does not work: .*must be above 0/);
    await settled(page);
    assert.equal(await page.locator('#failure').count(), 0, 'the present settings are well');
    const asked_now = [];
    page.on('request', (request) => /api\/run/.test(request.url()) && asked_now.push(request.postData()));
    await answered(page, () => type(page, 'Noise', 1.5));
    assert.equal(asked_now.length, 1, String(asked_now));
    await page.locator('#compare').getByRole('button', { name: 'Ask again' }).click();
    await until(page, () => document.querySelector('#compare .error'));
    await eventually('asked again', async () => asked_now.length === 2 || (await page.waitForTimeout(20), false));
  }, { address: link_to(start, { pins: [{ name: 'refused', settings: { ...start, publish: { steps: ['LAPLACE(epsilon=-1)'] } } }], beside: 0 }) }));

  test('what the server does not take is said at the setting', () => visit({}, async (page) => {
    await settled(page);
    const before = await page.locator('#brief dl').innerText();
    const field = page.getByLabel('Noise, as a number');
    await field.fill('-1');
    await field.press('Enter');
    await page.locator('#error-publish').waitFor();
    assert.match(await page.locator('#error-publish').textContent(), /must be above 0/);
    assert.equal(await noise(page).getAttribute('aria-describedby'), 'error-publish');
    assert.equal(await page.locator('#brief dl').innerText(), before);
    assert.equal(await page.locator('#brief').getAttribute('data-old'), 'true');
    await field.fill('1');
    await answered(page, () => field.press('Enter'));
    assert.equal(await page.locator('#error-publish').count(), 0);
  }));

  test('chains step by step, presets, and a study file', () => visit({}, async (page) => {
    await settled(page);
    const publish = async () => (await state_of(page)).settings.publish;
    const [preset] = offers.presets;
    await answered(page, () => page.locator('#publish-kind').selectOption(`preset ${preset.name}`));
    assert.deepEqual(await publish(), { preset: preset.name });
    const answer = await asked((await state_of(page)).settings);
    await check_answer(page, answer);
    assert.ok((await page.locator('#published').innerText()).includes(preset.name));
    for (const { name } of answer.report.published.steps) assert.ok((await page.locator('#published .steps').innerText()).includes(name), name);
    assert.match(await page.locator('#tiles-adversary').textContent(), /the counts as published/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-study').click()]);
    assert.match(download.suggestedFilename(), /\.toml$/);
    assert.equal(readFileSync(await download.path(), 'utf8'), answer.toml);
    // Changed, it is a chain of one's own.
    await page.locator('summary', { hasText: 'Step by step' }).click();
    await answered(page, () => page.locator('#add-step').selectOption('EPOCHS'));
    const own = await publish();
    assert.equal(own.steps.length, preset.steps.length + 1);
    assert.match(own.steps.findLast((step) => offers.steps.find(({ name }) => name === step.split('(')[0]).gives_visits), /EPOCHS/);
    assert.equal(await page.locator('#publish-kind').inputValue(), 'own');
    await answered(page, () => page.getByRole('button', { name: 'Take out EPOCHS' }).click());
    assert.deepEqual((await publish()).steps, preset.steps);
    await answered(page, () => page.locator('#publish-kind').selectOption('raw'));
    assert.equal(await publish(), null);
  }));

  test('the server goes, and comes back', () => visit({}, async (page, context) => {
    await settled(page);
    const before = await page.locator('#brief dl').innerText();
    await context.setOffline(true);
    await press(page, noise(page), 'ArrowRight', 20);
    await page.locator('.banner').waitFor();
    assert.match(await page.locator('.banner').textContent(), /The server is gone.*hearsay serve /s);
    assert.equal(await page.locator('#brief dl').innerText(), before);
    await context.setOffline(false);
    await until(page, () => !document.querySelector('.banner'));
    await settled(page);
    await check_answer(page, await asked((await state_of(page)).settings));
  }, { expected: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ }));

  long_test('the server ends', async () => {
    const own = await serve();
    const context = await browser.newContext();
    const { page } = await watched(context);
    try {
      await page.goto(`${own.address}/${link_to(start).split('/').at(-1)}`);
      await settled(page);
      const before = await page.locator('#brief dl').innerText();
      await own.end();
      await until(page, () => /The server is gone/.test(document.querySelector('.banner')?.textContent));
      await press(page, noise(page), 'ArrowRight', 10);
      await until(page, () => document.querySelector('#brief').dataset.old === 'true' && document.querySelector('#again'));
      assert.equal(await page.locator('#brief dl').innerText(), before);
      assert.match(await page.locator('#failure').textContent(), /does not answer/);
    } finally {
      await context.close();
    }
  });

  test('without a token, or with another', async () => {
    await visit({}, async (page) => {
      await page.locator('.banner').waitFor();
      assert.match(await page.locator('.banner').textContent(), /needs the whole address that hearsay serve/);
    }, { address: server.origin });
    await visit({}, async (page) => {
      await until(page, () => /not to this address/.test(document.querySelector('.banner')?.textContent));
    }, { address: `${server.origin}/#wrong`, expected: /401/ });
  });

  long_test('a link that is not as it should be opens the studio as it starts', async () => {
    const twice = (values) => [...values, ...values];
    const pins = Array.from({ length: 11 }, (_, i) => ({ name: ['pin 1', ...Array(9).fill('one'), 'pin '][i], settings: start })); // the first and 0, the last and 10
    const doubled = link_to({ ...start, priors: twice(start.priors), attacks: twice(start.attacks), goals: twice(start.goals) }, { focus: { places: ['1', '1'] }, pins, beside: 1 });
    await visit({}, async (page) => {
      await settled(page);
      await page.locator('#compare-figures').waitFor();
      for (const summary of await page.locator('#controls summary').all()) await summary.click();
      const { settings, view } = await state_of(page);
      assert.deepEqual(settings, start);
      assert.deepEqual(view.focus.places, ['1']);
      assert.equal(await page.locator('.pins li').count(), 11);
    }, { address: doubled });
    await visit({}, async (page) => {
      await page.locator('#error-priors').waitFor();
      for (const summary of await page.locator('#controls summary').all()) await summary.click();
      assert.equal(await page.locator('input[name="priors"][value="unknown"]').count(), 1);
    }, { address: link_to({ ...start, priors: ['unknown', 'unknown'] }), expected: /status of 4\d\d/ });
    for (const state of ['***', Buffer.from(JSON.stringify({ settings: { ...start, priors: 3, publish: 7 }, view: { focus: null, pins: [null], beside: 9, whom: 1 } })).toString('base64url')]) {
      await visit({}, async (page) => {
        await settled(page);
        const { settings, view } = await state_of(page);
        assert.deepEqual(settings.priors, offers.settings.priors);
        assert.deepEqual(settings.publish, offers.settings.publish);
        assert.deepEqual(view.focus.places, []);
      }, { address: `${server.address}/${state}` });
    }
  });
});
