// The caller's options: valid ones come out as flows use them, others are refused.
// test/prove/loader.test.ts has the wrong shapes, where the loader refuses them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConfig, checkDirection, checkTheme, OptionError } from './config.ts';

test('nothing given is nothing set', () => {
  assert.deepEqual(checkConfig(undefined), {});
  assert.deepEqual(checkConfig(null), {});
  assert.deepEqual(checkTheme(undefined), {});
  assert.equal(checkDirection(undefined), null);
});

test('valid options come out, amounts as numbers; unknown keys are dropped', () => {
  const given = {
    hideSKUs: true,
    selectButton: { label: 'Go', size: 3 },
    section: { label: null },
    transactionDetails: { transaction_amount: '1250', currency: 'USD' },
    postOAuthURLOverride: 'com.example.app://back',
    fixedAmount: 5,
    txnHistoryTabIndex: 0,
    ofAnotherRelease: 1,
  };
  assert.deepEqual(checkConfig(given), {
    hideSKUs: true,
    selectButton: { label: 'Go' },
    section: { label: null },
    transactionDetails: { transaction_amount: 1250, currency: 'USD' },
    postOAuthURLOverride: 'com.example.app://back',
    fixedAmount: 5,
    txnHistoryTabIndex: 0,
  });
  assert.deepEqual(checkTheme({ primaryColor: '#0A7' }), { primaryColor: '#0A7' });
  assert.equal(checkDirection('rtl'), 'rtl');
});

test('a refusal names the option', () => {
  const refused = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      if (error instanceof OptionError) return `${error.code}: ${error.message}`;
    }
    return 'not refused';
  };
  assert.equal(
    refused(() => checkConfig({ selectButton: { label: 7 } })),
    'INVALID_CONFIG: flowConfig.selectButton.label must be a short text.',
  );
  assert.equal(
    refused(() => checkTheme({ backgroundColor: 'blue' })),
    'INVALID_THEME: theme.backgroundColor must be a colour such as #0a7 or #00aa77.',
  );
});
