# Generated from _async/__init__.py by `pnpm gen`; not to be edited.
