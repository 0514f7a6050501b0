/* Where the notes around one note stand: what it rests on to the right, what rests on it to the
   left, step by step; so many notes a step at most, those nearest to the worst state first. */
"use strict";
const around = (start, { bases, dependents, rank, way }) => {
  const [STEPS, TALLEST, ACROSS, DOWN] = [3, 14, 350, 74];
  const places = new Map([[start, { x: 0, y: 0 }]]);
  let leftOut = 0;
  const walk = (links, sign) => {
    let column = [start];
    for (let step = 1; step <= STEPS && column.length; step += 1) {
      const found = [];
      for (const note of column) {
        for (const { other } of links[note]) {
          if (!places.has(other) && !found.includes(other)) found.push(other);
        }
      }
      const kept = found.slice().sort((one, other) =>
        way.has(other) - way.has(one) || rank(one) - rank(other) || one - other).slice(0, TALLEST);
      leftOut += found.length - kept.length;
      // As found: each stands by the one it was found from.
      column = found.filter((note) => kept.includes(note));
      column.forEach((note, index) =>
        places.set(note, { x: sign * step * ACROSS, y: (index - (column.length - 1) / 2) * DOWN }));
    }
  };
  walk(bases, 1);
  walk(dependents, -1);
  return { places, leftOut };
};
