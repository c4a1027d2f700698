// For runtimes with a command line; `given.mjs` is written by the test beside it.
import { contract } from './contract.mjs';
import given from './given.mjs';

console.log(JSON.stringify(await contract(given)));
