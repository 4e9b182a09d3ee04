/** React's production build, which is here as in the product, has no `act`. What renders in tests looks for it as it loads. */
import React from 'react';
import { flushSync } from 'react-dom';

Object.assign(React, {
  act: async (callback: () => Promise<void>) => {
    await flushSync(callback);
  },
});
