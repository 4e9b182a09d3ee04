/** Loaded before an entry script, in words that any Node can read: says what Gatehouse needs. */
const needed = [22, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  const place = `${process.platform} ${process.arch}`;
  console.error(
    `Gatehouse needs Node ${needed.join('.')} or newer; this is Node ${process.versions.node} (${place}).\n` +
      'On Linux and Windows `npm ci` brings a fitting Node along: run it again without --omit=optional.\n' +
      'Elsewhere install Node 24 from https://nodejs.org and run the command again.',
  );
  process.exit(1);
}
