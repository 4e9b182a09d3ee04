/** Reports the required Node version in syntax that any Node can parse. */
const needed = [22, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  const place = `${process.platform} ${process.arch}`;
  console.error(
    `Gatehouse needs Node.js ${needed.join('.')} or newer. This is ${process.versions.node} (${place}).\n` +
      'On Linux and Windows, `npm ci` installs a matching version: run it again without --omit=optional.\n' +
      'On other systems, install Node.js 24 from https://nodejs.org and run the command again.',
  );
  process.exit(1);
}
