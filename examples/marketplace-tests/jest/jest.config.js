// No transformation: these are modules already. The first start of all may take longer than Jest's
// five seconds.
export default {
  rootDir: '..',
  testMatch: ['<rootDir>/jest/*.spec.js'],
  transform: {},
  testTimeout: 120_000,
};
