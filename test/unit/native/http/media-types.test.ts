import { isJsonBody, readAccept } from '../../../../src/native/http/wire/media-types.js';

describe('Accept', () => {
  it.each([
    [undefined, true, true],
    ['', true, true],
    ['*/*', true, true],
    ['application/json', true, false],
    ['text/event-stream', false, true],
    ['text/event-stream, application/json', true, true],
    ['APPLICATION/JSON;q=0.5,text/*', true, true],
    ['application/*', true, false],
    ['*/*, text/event-stream;q=0', true, false],
    ['application/json;q=0, */*', false, true],
    ['application/json; q=0.000', false, false],
    ['text/html', false, false],
  ])('%j takes JSON: %j, events: %j', (header, json, events) => {
    expect(readAccept(header)).toMatchObject({ json, events });
  });

  it('knows events that were named from those a wildcard covers', () => {
    expect(readAccept('*/*').eventsNamed).toBe(false);
    expect(readAccept('text/event-stream').eventsNamed).toBe(true);
  });
});

describe('Content-Type', () => {
  it.each([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/vnd.api+json', true],
    ['text/plain', false],
    ['application/jsonp', false],
    [undefined, false],
  ])('%j is JSON: %j', (type, json) => {
    expect(isJsonBody(type)).toBe(json);
  });
});
