/**
 * Keeps compiled scripts and stripped types for the next start, from the first import on. Other users
 * of the machine may be able to write to Node's default folder.
 */
const { enableCompileCache } = require('node:module');
const { join } = require('node:path');

enableCompileCache(join(__dirname, '..', '.out', 'compile-cache'));
